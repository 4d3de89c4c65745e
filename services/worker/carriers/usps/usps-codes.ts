import { entryOf } from '#shared/domain/entry-of.ts';
import type { EventCode } from '#shared/domain/events/event.ts';
import type { StatusDetail } from '#shared/domain/events/status-details.ts';
import { type SettledCode, settleCode } from '../reading/status-words/settle-code.ts';

/**
 * The scan events of Publication 97, appendix I, and Publication 199, appendix G, as far as public copies list them. The
 * mapping is ours. Code 10 (`Processed`) stands for arrivals and departures, so that its words decide.
 */
const codes: { [code in EventCode]?: readonly string[] } = {
  information_received: ['MA', 'GX', 'TM', '89'],
  picked_up: ['03', 'PA', 'OA', 'UA', 'AD'],
  arrived_at_facility: ['07', '14', '19', '81', 'A1', 'U1', 'PC'],
  departed_facility: ['82', 'EF', 'SF', 'T1'],
  in_transit: ['06', '41', '42', '43', '80', '83', 'TL'],
  out_for_delivery: ['OF'],
  delivery_attempted: ['02', '30', '51', '52', '53', '54', '55', '56'],
  available_for_pickup: ['16'],
  delivered: ['01', '17'],
  return_started: ['09', '21', '22', '23', '24', '25', '26', '27', '28', '29', '31', '44'],
  undeliverable: ['05', '11'],
  delayed: ['71'],
  exception: ['04', '08', '15'],
  other: ['DX', 'GC'],
};

const codeOfScan = new Map(
  Object.entries(codes).flatMap(([code, scans]) => scans.map((scan) => [scan, code as EventCode] as const)),
);

/** The first match counts. */
const wordings: readonly (readonly [EventCode, RegExp])[] = [
  ['returned', /^delivered, to original sender\b|^returned to sender$/],
  ['delivered', /^delivered\b/],
  ['out_for_delivery', /^out for delivery\b/],
  [
    'delivery_attempted',
    /\bnotice left\b|\bdelivery attempt|\battempted delivery\b|\bno access to delivery\b|\bno (secure location|authorized recipient)\b|\breceptacle (blocked|full)\b|\bbusiness closed\b|\bmissed delivery\b/,
  ],
  ['available_for_pickup', /\b(available|ready) for (redelivery or )?pick-?up\b|\bheld at post office\b/],
  ['return_started', /\breturn(ed|ing)? to sender\b|\bunclaimed\b|\bnot picked up\b/],
  ['customs_hold', /\b(held|hold)\b.*\bcustoms\b|\bcustoms\b.*\b(held|hold)\b/],
  [
    'customs_released',
    /\b(released|cleared|out of)\b.*\bcustoms\b|\bcustoms clear(ance|ed)\b.*\bcomplete\b|\bcustoms cleared\b/,
  ],
  ['customs_inspection', /\bcustoms\b/],
  [
    'information_received',
    /\blabel created\b|\bpre-?shipment\b|\belectronic shipping info\b|\bacceptance pending\b|\border receipt\b/,
  ],
  ['picked_up', /\bin possession of item\b|^accept(ed|ance)\b|\bpicked up item\b|\borigin acceptance\b/],
  ['departed_facility', /\bdepart(ed|ure)?\b|\bdispatched from\b/],
  ['arrived_at_facility', /\barriv(ed|al)\b|\bprocessed (through|at)\b|\bsorting complete\b/],
  ['delayed', /\barriving late\b|\bdelay(ed)?\b|\brescheduled\b/],
  ['undeliverable', /\bundeliverable\b|\bdead letter\b|\bmail recovery center\b/],
  ['destroyed', /\bdestroyed\b/],
  [
    'exception',
    /\bexception\b|\bmissent\b|\bmis-?shipped\b|\brefused\b|\bdamaged\b|\bno such number\b|\binsufficient address\b|\baddressee (unknown|not)\b|\bmoved, left\b|^alert\b/,
  ],
  ['in_transit', /\bin transit\b|\bforward(ed)?\b|\bmoving through\b|\bredelivery\b/],
];

/** The categories of a package's status that report its delivery. An unlisted code must not hide one. */
const categories: Readonly<Record<string, EventCode>> = {
  'out for delivery': 'out_for_delivery',
  'delivery attempt': 'delivery_attempted',
  'delivery attempt: action needed': 'delivery_attempted',
  'available for pickup': 'available_for_pickup',
  delivered: 'delivered',
  'delivered to agent': 'delivered',
};

/** The code of a package's status category. Null: the category says nothing about the delivery. */
export function codeOfUspsCategory(category: string | null): EventCode | null {
  return entryOf(categories, category?.toLowerCase()) ?? null;
}

/** The meaning of a scan: by its code (`eventCode`), otherwise by its words (`eventType`). Unknown ones are `other`. */
export function codeOfUsps(eventCode: string | null, words: string): SettledCode {
  const lowerWords = words.toLowerCase();
  const worded = wordings.find(([, pattern]) => pattern.test(lowerWords))?.[0];
  // A parcel that went back is "delivered" to its sender.
  if (worded === 'returned') return { code: worded, isConflict: false };
  const coded = codeOfScan.get(eventCode?.toUpperCase() ?? '');
  if (coded === undefined && worded !== undefined) return { code: worded, isConflict: false };
  const settled = settleCode(coded ?? null, words, eventCode === '10' ? 'arrived_at_facility' : 'other');
  const isProcessed = eventCode === '10' && settled.code === 'in_transit';
  return isProcessed ? { ...settled, code: 'arrived_at_facility' } : settled;
}

const scanDetails: Readonly<Record<string, StatusDetail>> = {
  '04': 'refused',
  '05': 'address_incomplete',
  '06': 'redirected',
  '08': 'misrouted',
  '15': 'misrouted',
  '16': 'awaiting_collection_at_pickup_point',
  '21': 'address_incomplete',
  '22': 'address_incomplete',
  '23': 'addressee_moved',
  '24': 'addressee_moved',
  '25': 'addressee_unknown',
  '27': 'returned_unclaimed',
  '30': 'no_access',
  '31': 'returned_unclaimed',
  '44': 'returned_at_request',
  '51': 'business_closed',
  '53': 'no_access',
  '54': 'no_access',
  '56': 'addressee_absent',
  '71': 'rescheduled',
};

/** The first match counts. The words of a delivery are those after `Delivered, `. */
const detailWordings: readonly (readonly [StatusDetail, RegExp])[] = [
  ['left_in_mailbox', /^delivered, (in\/at mailbox|po box)/],
  ['delivered_to_locker', /^delivered, parcel locker/],
  ['left_at_door', /^delivered, front door/],
  ['left_in_safe_place', /^delivered, garage/],
  ['left_with_reception', /^delivered, front desk/],
  ['delivered_to_neighbour', /^delivered, (to )?neighbor/],
  ['held_at_request', /\bheld at post office, at customer request\b|\bcustomer request\b.*\bhold\b/],
  ['addressee_absent', /\bno authorized recipient\b/],
  ['business_closed', /\bbusiness closed\b/],
  ['no_access', /\bno access\b|\breceptacle (blocked|full)\b/],
  ['rescheduled', /\bredelivery scheduled\b|\brescheduled\b/],
  ['returned_unclaimed', /\bunclaimed\b|\bnot picked up\b/],
  ['refused', /\brefused\b/],
  ['address_incomplete', /\binsufficient address\b|\bno such number\b/],
  ['addressee_moved', /\bmoved, left no address\b|\bforward expired\b/],
  ['addressee_unknown', /\baddressee (unknown|not known)\b/],
  ['redirected', /\bforwarded\b/],
  ['misrouted', /\bmissent\b|\bmis-?shipped\b/],
  ['damaged', /\bdamaged\b/],
  ['weather', /\bweather\b/],
  ['awaiting_collection_at_pickup_point', /\b(available|ready) for (redelivery or )?pick-?up\b/],
];

/** Returns the reason for the package's status, or its kind of handover, by the scan's words, otherwise by its code. */
export function detailOfUsps(eventCode: string | null, words: string): StatusDetail | null {
  const lowerWords = words.toLowerCase();
  const worded = detailWordings.find(([, pattern]) => pattern.test(lowerWords))?.[0];
  return worded ?? scanDetails[eventCode?.toUpperCase() ?? ''] ?? null;
}
