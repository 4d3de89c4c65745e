import type { EventCode } from '#shared/domain/events/event.ts';
import { readStatusWords, type WordedMeaning } from './read-status-words.ts';

/** The meaning of a code and the words beside it together. `isConflict`: they disagree about where the parcel is. */
export type SettledCode = { code: EventCode; isConflict: boolean };

/** Meanings of words that take back a delivery or a return: what words call undone did not end the journey. */
const undone: Partial<Record<WordedMeaning, EventCode>> = {
  returned: 'returned',
  return_started: 'return_started',
  available_for_pickup: 'available_for_pickup',
  delivery_attempted: 'delivery_attempted',
  forecast: 'other',
};
const silent: readonly WordedMeaning[] = ['nothing', 'redirected', 'forecast'];

/**
 * The rule for a carrier's code and its words.
 *
 * 1. A code that is missing or unknown (null) leaves it to the words.
 * 2. A known code stands, whatever the words say, but for one thing: an end of the journey (delivered, returned) doesn't
 *    stand against words that call it expected, attempted, waiting for its recipient or on its way back, and that don't
 *    also call it delivered.
 * 3. Without a meaning of its own, the words change nothing.
 *
 * A code with two meanings is no known code: the connector passes null, and its plain meaning as `otherwise`.
 */
export function settleCode(coded: EventCode | null, words: string, otherwise: EventCode = 'other'): SettledCode {
  const worded = readStatusWords(words);
  if (worded === null || worded.meaning === 'nothing') return { code: coded ?? otherwise, isConflict: false };
  if (coded === null || coded === 'other') {
    const isSilent = worded.code === 'other';
    return { code: isSilent ? (coded ?? otherwise) : worded.code, isConflict: false };
  }
  const isEnd = coded === 'delivered' || coded === 'returned';
  const isAgreed = worded.code === coded || (coded === 'delivered' && statesDelivery(words));
  const instead = isEnd && !isAgreed ? undone[worded.meaning] : undefined;
  const isConflict =
    instead !== undefined || (!silent.includes(worded.meaning) && groupOf(coded) !== groupOf(worded.code));
  return { code: instead ?? coded, isConflict };
}

/**
 * Words that say that the parcel is delivered, beside an earlier attempt, or at their beginning: "Delivered; return
 * receipt sent to shipper" speaks of a receipt.
 */
export function statesDelivery(words: string): boolean {
  const beginning = words.split(/[.;]/)[0] ?? '';
  return [words, beginning].some((each) => readStatusWords(each)?.hasDelivery === true);
}

const groups: readonly (readonly EventCode[])[] = [
  ['in_transit', 'arrived_at_facility', 'departed_facility', 'picked_up', 'gate_in_full'],
  ['customs_inspection', 'customs_hold', 'customs_released'],
  ['return_started', 'returned'],
  ['exception', 'delayed', 'delivery_attempted', 'undeliverable', 'lost', 'destroyed', 'other'],
];

/** Codes that words rarely keep apart. */
function groupOf(code: EventCode): string {
  const index = groups.findIndex((group) => group.includes(code));
  return index === -1 ? code : String(index);
}
