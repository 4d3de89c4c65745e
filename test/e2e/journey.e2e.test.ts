import { describeJourney } from './journey-suite.ts';

describeJourney('Postgres', () => null);
