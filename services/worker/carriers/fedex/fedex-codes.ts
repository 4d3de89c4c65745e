import type { EventCode } from '#shared/domain/tracking/event.ts';

/** FedEx's two-letter scan codes (developer.fedex.com, tracking status codes). The mapping is ours. */
const codes: Readonly<Record<string, EventCode>> = {
  OC: 'information_received',
  OX: 'information_received',
  EP: 'information_received',
  CA: 'cancelled',
  PU: 'picked_up',
  PX: 'picked_up',
  OF: 'gate_in_full',
  DP: 'departed_facility',
  LO: 'departed_facility',
  PF: 'departed_facility',
  IT: 'in_transit',
  IX: 'in_transit',
  AR: 'in_transit',
  AF: 'in_transit',
  TR: 'in_transit',
  SF: 'in_transit',
  PL: 'arrived_at_facility',
  AA: 'arrived_at_facility',
  FD: 'arrived_at_facility',
  CP: 'customs_inspection',
  CD: 'customs_hold',
  CC: 'customs_released',
  HL: 'available_for_pickup',
  HP: 'available_for_pickup',
  OD: 'out_for_delivery',
  ED: 'out_for_delivery',
  AD: 'out_for_delivery',
  DE: 'delivery_attempted',
  DL: 'delivered',
  RS: 'return_started',
  DY: 'delayed',
  DD: 'delayed',
  PD: 'delayed',
  SE: 'exception',
};

/**
 * The meaning of a scan code. Unknown codes are kept as `other`, and so is AP ("at pickup"): FedEx doesn't document
 * whether the parcel has been handed over at that point.
 */
export function codeOfFedex(eventType: string | null): EventCode {
  const code = eventType?.toUpperCase() ?? '';
  return Object.hasOwn(codes, code) ? (codes[code] ?? 'other') : 'other';
}
