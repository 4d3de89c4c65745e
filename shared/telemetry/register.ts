import { startTelemetry } from './sdk.ts';

// The target of `node --import`: it must run before the first import of pg or http.
await startTelemetry();
