import type { Drill } from './drill.ts';
import { carrierDrills } from './faults/carriers.ts';
import { failoverDrills } from './faults/failover.ts';
import { installationDrills } from './faults/installation.ts';
import { mailDrills } from './faults/mail.ts';
import { networkDrills } from './faults/network.ts';
import { processDrills } from './faults/processes.ts';
import { releaseDrills } from './faults/releases.ts';
import { storeDrills } from './faults/stores.ts';

/** Every fault, in the order of the table of results. */
export const drills: readonly Drill[] = [
  ...processDrills,
  ...storeDrills,
  ...failoverDrills,
  ...networkDrills,
  ...mailDrills,
  ...carrierDrills,
  ...installationDrills,
  ...releaseDrills,
];
