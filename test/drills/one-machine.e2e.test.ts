import { describeShortDrills } from './short-drills.ts';

describeShortDrills('one machine');
