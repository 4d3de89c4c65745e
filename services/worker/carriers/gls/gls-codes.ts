import type { EventCode } from '#shared/domain/events/event.ts';
import type { StatusDetail } from '#shared/domain/events/status-details.ts';
import { type SettledCode, settleCode } from '../reading/status-words/settle-code.ts';

/** The parcel's status, as Track And Trace V1 describes each of them. */
const statusCodes: Readonly<Record<string, EventCode>> = {
  PLANNEDPICKUP: 'information_received',
  INPICKUP: 'information_received',
  NOTPICKEDUP: 'exception',
  PREADVICE: 'information_received',
  INTRANSIT: 'in_transit',
  INDELIVERY: 'out_for_delivery',
  DELIVEREDPS: 'available_for_pickup',
  DELIVERED: 'delivered',
  INWAREHOUSE: 'arrived_at_facility',
  NOTDELIVERED: 'delivery_attempted',
  CANCELED: 'cancelled',
};

/** The code of a parcel's status. `FINAL` and unknown ones mean nothing. */
export function codeOfGlsStatus(status: string | null): EventCode | null {
  return statusCodes[status?.toUpperCase() ?? ''] ?? null;
}

/**
 * The event codes in the specification's examples. The complete list is only served by the API
 * (`/tracking/events/codes`), to those who have credentials.
 */
const eventCodes: Readonly<Record<string, EventCode>> = {
  'INTIAL.PREADVICE': 'information_received',
  'INTIAL.E48_DATA': 'information_received',
  'INTIAL.NORMAL': 'picked_up',
  'DELIVD.PARCELSHOP': 'available_for_pickup',
  'CANCEL.NORMAL': 'cancelled',
  'CHANGD.MONEWADDR': 'other',
  'CHANGD.PARCELBOX': 'other',
};

/** The first part of a code, where public clients agree on it. */
const groups: Readonly<Record<string, EventCode>> = {
  INBOUD: 'arrived_at_facility',
  OUTBOD: 'departed_facility',
  OUTDEL: 'out_for_delivery',
  DELIVD: 'delivered',
  CANCEL: 'cancelled',
};

/** Patterns of the English description. The first match counts. */
const wordings: readonly (readonly [EventCode, RegExp])[] = [
  ['return_started', /\breturn(ed|ing)?\b.*\b(sender|shipper|consignor)\b/],
  ['available_for_pickup', /\bdelivered (at|to) the parcel ?shop\b|\b(ready|available) for (collection|pick-?up)\b/],
  [
    'delivery_attempted',
    /\b(could not|cannot) be delivered\b|\bnot (been )?delivered\b|\b(consignee|recipient) (was )?(absent|not)\b/,
  ],
  ['delivered', /\b(has been|was) delivered\b/],
  ['out_for_delivery', /\bout for delivery\b|\bin delivery\b|\bexpected to be delivered during the day\b/],
  ['picked_up', /\bhanded over to gls\b/],
  ['information_received', /\bparcel data (was|were) entered\b/],
  ['departed_facility', /\bhas left\b|\bleft the\b/],
  ['arrived_at_facility', /\breached\b|\barrived\b/],
  ['delayed', /\bdelay(ed)?\b/],
  ['exception', /\bdamaged\b|\baddress (is|was) (incomplete|incorrect|wrong)\b/],
  ['in_transit', /\bin transit\b|\bon its way\b/],
];

/** The meaning of an event: by its code, otherwise by its description. Unknown ones are `other`. */
export function codeOfGlsEvent(code: string | null, description: string | null): SettledCode {
  const written = code?.toUpperCase() ?? '';
  const words = description?.toLowerCase() ?? '';
  const worded = wordings.find(([, pattern]) => pattern.test(words))?.[0];
  const coded = eventCodes[written] ?? groups[written.split('.')[0] ?? ''];
  if (coded === undefined && worded !== undefined) return { code: worded, isConflict: false };
  return settleCode(coded ?? null, words);
}

const details: readonly (readonly [StatusDetail, RegExp])[] = [
  ['awaiting_collection_at_pickup_point', /^DELIVD\.PARCELSHOP$|\bDELIVERED (AT|TO) THE PARCEL ?SHOP\b/],
  ['redirected', /^CHANGD\.(MONEWADDR|PARCELBOX)$|\bDELIVERY AT NEW ADDRESS\b/],
  ['refused', /\bREFUSED\b/],
  ['addressee_absent', /\b(CONSIGNEE|RECIPIENT) (WAS )?(ABSENT|NOT (AT HOME|PRESENT))\b/],
  ['delivered_to_neighbour', /\bDELIVERED\b.*\bNEIGHBOU?R\b/],
  ['business_closed', /\bBUSINESS WAS CLOSED\b/],
  ['address_incomplete', /\bADDRESS (IS|WAS) (INCOMPLETE|INCORRECT|WRONG)\b/],
  ['damaged', /\bDAMAGED\b/],
  ['weather', /\bWEATHER\b/],
];

/** Returns the reason for the parcel's status, or its kind of handover. */
export function detailOfGls(code: string | null, description: string | null): StatusDetail | null {
  const texts = [code?.toUpperCase() ?? '', description?.toUpperCase() ?? ''];
  return details.find(([, pattern]) => texts.some((written) => pattern.test(written)))?.[0] ?? null;
}
