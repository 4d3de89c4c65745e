import type { EventCode } from '#shared/domain/events/event.ts';
import { type SettledCode, settleCode } from '../reading/status-words/settle-code.ts';

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
  EA: 'in_transit',
  EO: 'in_transit',
  TR: 'in_transit',
  SF: 'in_transit',
  AR: 'arrived_at_facility',
  AF: 'arrived_at_facility',
  AX: 'arrived_at_facility',
  AC: 'arrived_at_facility',
  PL: 'arrived_at_facility',
  AA: 'arrived_at_facility',
  FD: 'arrived_at_facility',
  CP: 'customs_inspection',
  CU: 'customs_inspection',
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

/** Exception codes of a parcel that goes to another place by request or by FedEx's choice: nobody was missed. */
const redirections = ['A13', 'A47'];
const redirectedWords = /\bredirect(ed|ing)?\b|\bhold at location\b/;
const postponedWords = /\bfuture delivery\b|\bdelivery (date )?(re-?scheduled|change)/;
const delayedWords = /\bdelay(ed)?\b|\bweather\b/;

/**
 * The meaning of a scan code. `DE`, a delivery exception, is an attempt unless its exception code or words report a
 * redirection, a later date or a delay. Unknown codes are kept as `other`, and so is AP ("at pickup"): FedEx doesn't
 * document whether the parcel has been handed over at that point.
 */
export function codeOfFedex(
  eventType: string | null,
  { exceptionCode, words }: { exceptionCode: string | null; words: string },
): EventCode {
  const code = eventType?.toUpperCase() ?? '';
  if (code === 'DE') {
    const lower = words.toLowerCase();
    if (isRedirected(exceptionCode, lower)) return 'other';
    if (postponedWords.test(lower)) return 'other';
    if (delayedWords.test(lower)) return 'delayed';
  }
  return Object.hasOwn(codes, code) ? (codes[code] ?? 'other') : 'other';
}

function isRedirected(exceptionCode: string | null, lowerWords: string): boolean {
  return redirections.includes(exceptionCode?.toUpperCase() ?? '') || redirectedWords.test(lowerWords);
}

/** AP, "at pickup": whether the parcel has been handed over at that point is not documented. */
const doubtfulCodes = ['AP'];

/** The meaning of a scan by its code and its words. */
export function settleFedex(
  eventType: string | null,
  said: { exceptionCode: string | null; words: string },
): SettledCode {
  const code = codeOfFedex(eventType, said);
  const upper = eventType?.toUpperCase() ?? '';
  const isRequest = isRedirected(said.exceptionCode, said.words.toLowerCase());
  const isKnown = Object.hasOwn(codes, upper) || doubtfulCodes.includes(upper) || (isRequest && upper !== '');
  return isKnown && code === 'other' ? { code, isConflict: false } : settleCode(isKnown ? code : null, said.words);
}
