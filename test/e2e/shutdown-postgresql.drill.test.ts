import { describeShutdown } from './shutdown-suite.ts';

describeShutdown('Postgres', () => null);
