import { describeTestMode } from './test-mode-suite.ts';

describeTestMode('Postgres', () => null);
