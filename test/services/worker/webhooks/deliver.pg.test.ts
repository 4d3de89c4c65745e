import { describeDeliveries } from './deliver-suite.ts';

describeDeliveries('Postgres', null, { isWhole: true });
