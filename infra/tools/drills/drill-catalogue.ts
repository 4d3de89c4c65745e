import type { Drill } from './drill.ts';
import { carrierDrills } from './faults/carriers.ts';
import { installationDrills } from './faults/installation.ts';
import { processDrills } from './faults/processes.ts';
import { storeDrills } from './faults/stores.ts';

/** Every fault, in the order of the table of results. */
export const drills: readonly Drill[] = [...processDrills, ...storeDrills, ...carrierDrills, ...installationDrills];
