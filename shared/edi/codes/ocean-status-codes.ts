import { held, type StatusMeaning, type StatusTable, statusTable } from './status-table.ts';

/**
 * Shipment status codes of X12 (element 157, releases 2002 to 6020), which B4 of a 315 and Q5 of a 322 have. The names
 * are X12's, the mapping to events is ours. Codes that say nothing of where the cargo is are kept as information.
 */
const plain = statusTable(`
  2 return_started Returned to carrier's terminal
  3 returned Returned to shipper
  A arrived_at_facility Arrived
  AA other Pick-up appointment date and time
  AC other Awaiting clearance
  AD +delivered Delivery appointment date and time
  AE loaded Loaded on vessel
  AF picked_up Departed pick-up location
  AG ~delivered Estimated delivery
  AH delivery_attempted Attempted delivery
  AI other Shipment has been reconsigned
  AJ other Tendered for delivery
  AL rail_loaded Loaded on rail
  AM other Loaded on truck
  AN in_transit Delivered to air carrier
  AO loaded Loaded on barge
  AP loaded Loaded on feeder vessel
  AR rail_arrived Rail arrival at destination intermodal ramp
  AU available_for_pickup Shipment available for pickup
  AV available_for_pickup Available for delivery
  AW other Awaiting export
  B other Bad order
  BA other Set off at agent
  BC in_transit Storage in transit
  BD ~delivered Recommitted delivery date
  BE ~picked_up Estimated pick-up date
  BF booking_confirmed Booking confirmed
  BR document_issued Bill of lading released
  C ~departed Estimated to depart
  CA cancelled Shipment cancelled
  CB other Chassis tie
  CC other Chassis un-tie
  CS other Container sealed
  CV other Container rehandled
  D delivered Completed unloading at delivery location
  E ~arrived Estimated to arrive
  EE gate_out_empty Empty equipment dispatched
  FT notice Free time expired
  G other Repaired and released from bad order
  GO notice General order
  H other Equipment shopped for heavy repair
  HA notice Held, protective service
  HB notice Held, appointment delivery
  HC notice Held, consignee closed
  HD notice Held, refused shipment
  I gate_in_full/gate_in_empty In-gate
  J in_transit Delivered to connecting line
  K in_transit Arrived at customs
  L other Loading
  M other Charged from
  MT other Empty committed
  N other No paperwork received with shipment or equipment
  NT consignee_notified Notification
  O other Paperwork received, did not receive shipment or equipment
  OA gate_out_full/gate_out_empty Out-gate
  OB document_issued Original bill of lading received
  P departed_facility Departed
  R in_transit Received from prior carrier
  RD gate_in_empty Return container
  RL rail_departed Rail departure from origin intermodal ramp
  S other Spotted
  SD delayed Shipment delayed
  UR rail_unloaded Unloaded from a rail car
  UV discharged Unloaded from vessel
  VA arrived Vessel arrival
  VD departed Vessel departure
  X1 arrived_at_facility Arrived at delivery location
  X2 ~arrived_at_facility Estimated arrival at consignee's location
  X3 other Arrived at pick-up location
  X4 arrived_at_facility Arrived at terminal location
  X6 in_transit En route to delivery location
`);

const holds: Record<string, StatusMeaning> = {
  A1: { code: 'notice', holds: held('agriculture'), words: 'Agriculture Canada hold' },
  A2: { code: 'notice', holds: held('agriculture', 'released'), words: 'Agriculture Canada released' },
  CR: { code: 'notice', holds: held('line', 'released'), words: 'Carrier release' },
  CT: { code: 'customs_released', holds: held('customs', 'released'), words: 'Customs released' },
  CU: {
    code: 'customs_released',
    holds: [...held('line', 'released'), ...held('customs', 'released')],
    words: 'Carrier and customs release',
  },
  FP: { code: 'notice', holds: held('freight', 'released'), words: 'Freight paid' },
  NF: { code: 'notice', isFreeDay: true, words: 'Free time to expire' },
};

const customsHolds = 'PA PB PC PD PE PF PG PH PI PJ PK PQ';
for (const code of customsHolds.split(' '))
  holds[code] = { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold' };
for (const code of 'PL PM PN PO PP'.split(' '))
  holds[code] = { code: 'notice', holds: held('agriculture'), words: 'U.S. Department of Agriculture hold' };

export const oceanStatusCodes: StatusTable = { ...plain, ...holds };

/** Meanings of the same codes at an intermodal ramp: the train arrives and departs. */
export const rampStatusCodes: StatusTable = {
  ...oceanStatusCodes,
  A: { code: 'rail_arrived', words: 'Arrived' },
  P: { code: 'rail_departed', words: 'Departed' },
  C: { code: 'rail_departed', classifier: 'estimated', words: 'Estimated to depart' },
  E: { code: 'rail_arrived', classifier: 'estimated', words: 'Estimated to arrive' },
};
