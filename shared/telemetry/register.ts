import { startTelemetry } from './sdk.ts';

// The target of `node --import`: instrumentation must start before the first import of pg or http.
await startTelemetry();
