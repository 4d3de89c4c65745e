import { entryOf } from '#shared/domain/entry-of.ts';
import type { StatusDetail } from '#shared/domain/events/status-details.ts';
import { held, type StatusTable, statusTable } from './status-table.ts';

/**
 * Shipment status codes of X12 (element 1650, releases 4010 to 8010), which segment AT7 of a 214 has. The names are
 * X12's, the mapping to events is ours. Codes that say nothing of where the cargo is are kept as information.
 */
const plain = statusTable(`
  A3 returned Shipment returned to shipper
  A7 delivery_attempted Refused by consignee
  A9 exception Shipment damaged
  AF picked_up Carrier departed pick-up location with shipment
  AG ~delivered Estimated delivery
  AH delivery_attempted Attempted delivery
  AI other Shipment has been reconsigned
  AJ other Tendered for delivery
  AL rail_loaded Loaded to rail car
  AM other Loaded on truck
  AN in_transit Diverted to air carrier
  AP delivery_attempted Delivery not completed
  AR rail_arrived Rail arrival at destination intermodal ramp
  AV other Available for delivery
  AW available_for_pickup Shipment available for pick-up
  B6 ~arrived_at_facility Estimated to arrive at carrier terminal
  BA in_transit Connecting line or cartage pick-up
  BC in_transit Storage in transit
  BO other Shipment conveyance reported bad order
  BR other Shipment conveyance released from bad order
  C1 ~departed_facility Estimated to depart terminal location
  CA cancelled Shipment cancelled
  CB delivered Completed shipment
  CD other Carrier departed delivery location
  CL other Trailer closed out
  CP other Completed loading at pick-up location
  CT customs_released Customs release
  D1 delivered Completed unloading at delivery location
  DO other Shipment delivery order received
  I1 arrived_at_facility In-gate
  J1 in_transit Delivered to connecting line
  K1 in_transit Arrived at customs
  L1 other Loading
  LC other Shipment container loaded to chassis
  NB other Shipment conveyance received without paperwork
  OA departed_facility Out-gate
  OO other Paperwork received, did not receive shipment or equipment
  OP other All paperwork has been provided to consignee
  P1 departed_facility Departed terminal location
  PA other Partial shipment delivered
  PR customs_hold U.S. customs hold at in-bond location
  R1 in_transit Received from prior carrier
  RH other Shipment conveyance released from hold
  RL rail_departed Rail departure from origin intermodal ramp
  S1 arrived_at_facility Trailer spotted at consignee's location
  SD delayed Shipment delayed
  UC other Shipment container unloaded from chassis
  UR rail_unloaded Unloaded from rail car
  X1 arrived_at_facility Arrived at delivery location
  X2 ~arrived_at_facility Estimated arrival at consignee's location
  X3 other Arrived at pick-up location
  X4 arrived_at_facility Arrived at terminal location
  X5 arrived_at_facility Arrived at delivery location loading dock
  X6 in_transit En route to delivery location
  X8 other Arrived at pick-up location loading dock
  XB information_received Shipment acknowledged
  Y1 arrived_at_facility Arrived at the multiple country consolidation hub
`);

export const carrierStatusCodes: StatusTable = {
  ...plain,
  CT: { code: 'customs_released', holds: held('customs', 'released'), words: 'Customs release' },
  DE: { code: 'notice', isFreeDay: true, words: 'Last free day without demurrage' },
  PR: { code: 'customs_hold', holds: held('customs'), words: 'U.S. customs hold at in-bond location' },
};

/**
 * Appointments (element 1652, releases 3070 to 8040). What may not happen before a time is no promise for that time. The
 * reader joins `ED` and `LD` to a window.
 */
export const appointmentCodes: StatusTable = statusTable(`
  AA +picked_up Pick-up appointment
  AB +delivered Delivery appointment
  AC ~delivered Estimated delivery appointment
  ED +other Delivery no earlier than
  EP +other Pick-up no earlier than
  LD +delivered Delivery no later than
  LP +picked_up Pick-up no later than
  X9 +delivered Delivery appointment secured
  XA +picked_up Pick-up appointment secured
`);

/** The details of a status by its reason (element 1651), where it is one of ours. */
const reasonDetails: Readonly<Record<string, StatusDetail>> = {
  A2: 'address_incomplete',
  A5: 'addressee_unknown',
  A6: 'address_incomplete',
  AA: 'misrouted',
  AD: 'rescheduled',
  AE: 'prohibited_goods',
  AH: 'carrier_delay',
  AI: 'vehicle_breakdown',
  AJ: 'carrier_delay',
  AK: 'damaged',
  AN: 'business_closed',
  AO: 'weather',
  AQ: 'addressee_absent',
  AR: 'customs_documents_needed',
  AS: 'customs_documents_needed',
  B1: 'business_closed',
  B4: 'payment_due',
  B5: 'held_at_request',
  BB: 'held_at_request',
  BO: 'carrier_delay',
  BR: 'carrier_delay',
  BS: 'refused',
  C2: 'payment_due',
  C3: 'held_at_request',
  C4: 'addressee_absent',
  C5: 'strike',
  C8: 'payment_due',
  C9: 'payment_due',
  D1: 'carrier_delay',
  D2: 'carrier_delay',
  HB: 'appointment_needed',
  S1: 'missing_pieces',
};

/** The status detail of a reason. Null: it is none of ours. */
export function reasonDetail(code: string | null): StatusDetail | null {
  return entryOf(reasonDetails, code) ?? null;
}

/** Reasons of a status (element 1651) with their names. */
const reasons = new Map(
  `
  A1 Missed delivery
  A2 Incorrect address
  A3 Indirect delivery
  A5 Unable to locate
  A6 Address corrected, delivery attempted
  AA Mis-sort
  AD Customer requested future delivery
  AE Restricted articles unacceptable
  AF Accident
  AG Consignee related
  AH Driver related
  AI Mechanical breakdown
  AJ Other carrier related
  AK Damaged, rewrapped in hub
  AL Previous stop
  AM Shipper related
  AN Holiday, closed
  AO Weather or natural disaster related
  AP Awaiting export
  AQ Recipient unavailable, delivery delayed
  AR Improper international paperwork
  AS Hold due to customs documentation problems
  AT Unable to contact recipient for broker information
  AU Civil event related delay
  AV Exceeds service limitations
  AW Past cut-off time
  AX Insufficient pick-up time
  AY Missed pick-up
  AZ Alternate carrier delivered
  B1 Consignee closed
  B2 Trap for customer
  B4 Held for payment
  B5 Held for consignee
  B8 Improper unloading facility or equipment
  B9 Receiving time restricted
  BB Held per shipper
  BC Missing documents
  BD Border clearance
  BE Road conditions
  BF Carrier keying error
  BG Other
  BH Insufficient time to complete delivery
  BI Cartage agent
  BJ Customer wanted earlier delivery
  BK Prearranged appointment
  BL Held for protective service
  BM Flatcar shortage
  BN Failed to release billing
  BO Railroad failed to meet schedule
  BP Load shifted
  BQ Shipment overweight
  BR Train derailment
  BS Refused by customer
  BT Returned to shipper
  C1 Waiting for customer pick-up
  C2 Credit hold
  C3 Suspended at customer request
  C4 Customer vacation
  C5 Customer strike
  C6 Waiting shipping instructions
  C7 Waiting for customer specified carrier
  C8 Collect on delivery required
  C9 Cash not available from consignee
  CA Customs (import or export)
  CB No requested arrival date provided by shipper
  CC No requested arrival time provided by shipper
  D1 Carrier dispatch error
  D2 Driver not available
  F1 Non-express clearance delay
  F2 International non-carrier delay
  HB Held pending appointment
  P1 Processing delay
  P2 Waiting inspection
  P3 Production falldown
  P4 Held for full carrier load
  RC Reconsigned
  S1 Delivery shortage
  T1 Tractor with sleeper not available
  T2 Conventional tractor not available
  T3 Trailer not available
  T4 Trailer not usable due to prior product
  T5 Trailer class not available
  T6 Trailer volume not available
  T7 Insufficient delivery time
`
    .trim()
    .split('\n')
    .map((row) => [row.trim().slice(0, 2), row.trim().slice(3)] as const),
);

/** The name of a reason; of one that no list has, its code. Null: there is none, or nothing is out of the ordinary. */
export function reasonWords(code: string | null): string | null {
  if (code === null || code === 'NS' || code === 'NA') return null;
  return reasons.get(code) ?? `reason ${code}`;
}
