import type { EventCode } from '#shared/domain/events/event.ts';
import { readStatusWords, type StatusWords } from '../reading/status-words/read-status-words.ts';
import { type SettledCode, settleCode, statesDelivery } from '../reading/status-words/settle-code.ts';

/**
 * Event codes of DHL Paket, which come as `status` (developer.dhl.com, status_1.csv). LA is left out: it stands for
 * waiting at a pickup point and for other storage.
 */
const paketCodes: Readonly<Record<string, EventCode>> = {
  AA: 'departed_facility',
  AE: 'picked_up',
  EE: 'arrived_at_facility',
  PO: 'out_for_delivery',
  ZF: 'available_for_pickup',
  ZN: 'delivery_attempted',
};

/** The words of a DHL event. `status` may be a number, a name (`DELIVERED_AT_PARCELSTATION`) or a sentence. */
export type DhlWords = { status: string | null; description: string | null };

/** Names of events that DHL calculates: what they name has not been seen. */
const calculated = /^EXPECTED_|_CALCULATED$/;
/** Meanings that a failure may have in words. Others are what went before it. */
const troubles: readonly EventCode[] = [
  'return_started',
  'returned',
  'delivery_attempted',
  'customs_hold',
  'customs_inspection',
  'delayed',
  'lost',
  'destroyed',
];

/**
 * The meaning of an event. `statusCode` has five values: `pre-transit` and `delivered` are codes of their own, `transit`
 * and `failure` leave it to the words which step or problem it is, and any other leaves all to them. What words don't
 * say, DHL Paket's code does.
 */
export function codeOfDhl(statusCode: string | null, words: DhlWords, paketCode: string | null = null): SettledCode {
  const text = [words.description, words.status].filter((part) => part !== null).join('. ');
  const coded = Object.hasOwn(paketCodes, paketCode ?? '') ? (paketCodes[paketCode ?? ''] ?? null) : null;
  const worded = factOf(readStatusWords(text), words.status);
  switch (statusCode?.toLowerCase()) {
    case 'pre-transit':
      return { code: worded?.meaning === 'cancelled' ? 'cancelled' : 'information_received', isConflict: false };
    case 'transit':
      return { code: stepOf(worded, coded), isConflict: worded?.code === 'delivered' };
    case 'delivered':
      return (statesDelivery(text) ? null : backToSender(worded)) ?? settleCode('delivered', text);
    case 'failure':
      return {
        code: worded !== null && troubles.includes(worded.code) ? worded.code : 'exception',
        isConflict: worded?.code === 'delivered',
      };
    default:
      return { code: worded !== null && worded.code !== 'other' ? worded.code : (coded ?? 'other'), isConflict: false };
  }
}

/** A delivery to the sender, which DHL codes as any other. */
function backToSender(worded: StatusWords | null): SettledCode | null {
  const isBack = worded?.meaning === 'returned' || worded?.meaning === 'return_started';
  return isBack ? { code: 'returned', isConflict: false } : null;
}

/** A step in transit. Words that call it delivered or only announced disagree with DHL's code, which then counts. */
function stepOf(worded: StatusWords | null, coded: EventCode | null): EventCode {
  const unlikely: readonly EventCode[] = ['delivered', 'information_received', 'other'];
  if (worded === null || unlikely.includes(worded.code)) return coded ?? 'in_transit';
  return worded.code === 'in_transit' ? (coded ?? 'in_transit') : worded.code;
}

function factOf(worded: StatusWords | null, status: string | null): StatusWords | null {
  if (worded === null || status === null || !calculated.test(status)) return worded;
  const isReturn = worded.code === 'returned' || (worded.meaning === 'forecast' && /_RETURN_/.test(status));
  if (isReturn) return { ...worded, meaning: 'return_started', code: 'return_started' };
  return worded.code === 'delivered' ? { ...worded, meaning: 'forecast', code: 'other' } : worded;
}
