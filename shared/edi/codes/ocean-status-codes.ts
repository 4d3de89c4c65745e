import { held, type StatusMeaning, type StatusTable, statusTable } from './status-table.ts';

/**
 * Shipment status codes of X12 (element 157, releases 3010 to 8040), which B4 of a 315 and Q5 of a 322 have:
 * https://www.stedi.com/edi/x12-003050/element/157. X12 publishes no mapping to events, so the mapping is ours. Codes that
 * say nothing of where the cargo is are kept as information.
 */
const plain = statusTable(`
  1 delivered!missing_pieces Delivered short
  2 delivery_attempted Returned to carrier's terminal
  3 returned Returned to shipper
  4 delivered!damaged Delivered damaged
  A arrived_at_facility Arrived
  AA +picked_up Pick-up appointment date and time
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
  CD other Carrier departed delivery location
  CO received_from_shipper Cargo received at contractual place of receipt
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
  HB notice!appointment_needed Held, appointment delivery
  HC notice!business_closed Held, consignee closed
  HD notice!refused Held, refused shipment
  HG notice Held on ground
  HR notice Hold released
  I gate_in_full/gate_in_empty In-gate
  IB other In-bond movement authorized
  IR other Movement type changed from in-bond to not in-bond
  J in_transit Delivered to connecting line
  K in_transit Arrived at customs
  L other Loading
  M other Charged from
  MT other Empty committed
  N other No paperwork received with shipment or equipment
  NH other No hazardous material document received
  NR other Shipment information not received
  NT consignee_notified Notification
  O other Paperwork received, did not receive shipment or equipment
  OA gate_out_full/gate_out_empty Out-gate
  OB document_issued Original bill of lading received
  P departed_facility Departed
  R in_transit Received from prior carrier
  RC other Container reserved against booking
  RD gate_in_empty Return container
  RI other Movement type changed from not in-bond to in-bond
  RL rail_departed Rail departure from origin intermodal ramp
  S other Spotted
  SA other Shipment split
  SB other Shipment consolidation
  SD delayed Shipment delayed
  SI information_received Receipt of shipping instructions
  UR rail_unloaded Unloaded from a rail car
  UV discharged Unloaded from vessel
  VA arrived Vessel arrival
  VD departed Vessel departure
  X1 arrived_at_facility Arrived at delivery location
  X2 ~arrived_at_facility Estimated arrival at consignee's location
  X3 other Arrived at pick-up location
  X4 arrived_at_facility Arrived at terminal location
  X5 arrived_at_facility Arrived at delivery location loading dock
  X6 in_transit En route to delivery location
  X8 other Arrived at pick-up location loading dock
  X9 +delivered Delivery appointment secured
  XA +picked_up Pick-up appointment secured
  XB information_received Shipment acknowledged
`);

const holds: Record<string, StatusMeaning> = {
  A1: { code: 'notice', holds: held('agriculture'), words: 'Agriculture Canada hold' },
  A2: { code: 'notice', holds: held('agriculture', 'released'), words: 'Agriculture Canada released' },
  A3: { code: 'exception', holds: held('agriculture'), words: 'Agriculture Canada refused entry' },
  A4: { code: 'notice', holds: held('agriculture', 'released'), words: 'Agriculture Canada conditional release' },
  C1: { code: 'customs_hold', holds: held('customs'), words: 'Canada customs hold' },
  C2: { code: 'customs_released', holds: held('customs', 'released'), words: 'Canada customs released' },
  CR: { code: 'notice', holds: held('line', 'released'), words: 'Carrier release' },
  CT: { code: 'customs_released', holds: held('customs', 'released'), words: 'Customs released' },
  CU: {
    code: 'customs_released',
    holds: [...held('line', 'released'), ...held('customs', 'released')],
    words: 'Carrier and customs release',
  },
  FP: { code: 'notice', holds: held('freight', 'released'), words: 'Freight paid' },
  NF: { code: 'notice', isFreeDay: true, words: 'Free time to expire' },
  TC: { code: 'notice', holds: held('terminal'), words: 'Held for terminal charges' },
  PA: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold, intensive examination' },
  PB: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold, insufficient paperwork' },
  PC: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold, discrepancy in paperwork' },
  PD: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold, discrepancy in piece count' },
  PE: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold by the Coast Guard' },
  PF: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold by the FBI' },
  PG: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold by local law enforcement' },
  PH: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold by a court imposed lien' },
  PI: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold by Food and Drug' },
  PJ: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold by Fish and Wildlife' },
  PK: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold by Drug Enforcement' },
  PL: { code: 'notice', holds: held('agriculture'), words: 'U.S. agriculture hold for intensive investigation' },
  PM: { code: 'notice', holds: held('agriculture'), words: 'U.S. agriculture hold for an unregistered producer' },
  PN: { code: 'notice', holds: held('agriculture'), words: 'U.S. agriculture hold for a restricted commodity' },
  PO: { code: 'notice', holds: held('agriculture'), words: 'U.S. agriculture hold for insect infestation' },
  PP: { code: 'notice', holds: held('agriculture'), words: 'U.S. agriculture hold for bacterial contamination' },
  PQ: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold at the place of vessel arrival' },
  PR: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold at the in-bond destination' },
  PS: { code: 'notice', holds: held('agriculture'), words: 'U.S. agriculture hold at the place of vessel arrival' },
  PT: { code: 'notice', holds: held('agriculture'), words: 'U.S. agriculture hold at the in-bond destination' },
  PU: { code: 'notice', holds: held('other'), words: 'Hold of another U.S. agency at the place of vessel arrival' },
  PV: { code: 'notice', holds: held('other'), words: 'Hold of another U.S. agency at the in-bond destination' },
  PW: { code: 'notice', holds: held('agriculture'), words: 'U.S. agriculture hold for fumigation' },
  PX: { code: 'notice', holds: held('agriculture'), words: 'U.S. agriculture hold for inspection or documents' },
};

export const oceanStatusCodes: StatusTable = { ...plain, ...holds };

/** Meanings of the same codes at an intermodal ramp: the train arrives and departs. */
export const rampStatusCodes: StatusTable = {
  ...oceanStatusCodes,
  A: { code: 'rail_arrived', words: 'Arrived' },
  P: { code: 'rail_departed', words: 'Departed' },
  C: { code: 'rail_departed', classifier: 'estimated', words: 'Estimated to depart' },
  E: { code: 'rail_arrived', classifier: 'estimated', words: 'Estimated to arrive' },
};
