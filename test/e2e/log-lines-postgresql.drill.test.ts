import { describeLogLines } from './log-lines-suite.ts';

describeLogLines('Postgres', () => null);
