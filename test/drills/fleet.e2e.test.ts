import { describeShortDrills } from './short-drills.ts';

describeShortDrills('fleet', 'PostgreSQL');
