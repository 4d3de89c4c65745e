import type { EventCode } from '#shared/domain/events/event.ts';
import { readStatusWords, statesDelivery, type WordedMeaning } from './read-status-words.ts';

/** What a code and the words beside it mean together. `isConflict`: they disagree about where the parcel is. */
export type SettledCode = { code: EventCode; isConflict: boolean };

/** Meanings of words that take back a delivery or a return: what words call undone did not end the journey. */
const undone: Partial<Record<WordedMeaning, EventCode>> = {
  returned: 'returned',
  return_started: 'return_started',
  available_for_pickup: 'available_for_pickup',
  delivery_attempted: 'delivery_attempted',
  forecast: 'other',
};
/** A delivery, but not one to the sender or to a place where the parcel waits. */
const beginsWithDelivery = /^\W*delivered(?! (back )?(to|at|in) )/i;
const silent: readonly WordedMeaning[] = ['nothing', 'redirected', 'forecast'];

/**
 * The rule for a carrier's code and its words.
 *
 * 1. A code that is missing or unknown (null) leaves it to the words.
 * 2. A known code stands, whatever the words say, but for one thing: an end of the journey (delivered, returned) doesn't
 *    stand against words that call it expected, attempted, waiting for its recipient or on its way back.
 * 3. Without a meaning of its own, the words change nothing.
 *
 * A code with two meanings is no known code: the connector passes null, and its plain meaning as `otherwise`.
 */
export function settleCode(coded: EventCode | null, words: string, otherwise: EventCode = 'other'): SettledCode {
  // A name may be any word.
  const worded = readStatusWords(words.replace(/\bsigned (for )?by\b.*/i, ''));
  if (worded === null || worded.meaning === 'nothing') return { code: coded ?? otherwise, isConflict: false };
  if (coded === null || coded === 'other') {
    const isSilent = worded.code === 'other';
    return { code: isSilent ? (coded ?? otherwise) : worded.code, isConflict: false };
  }
  const isEnd = coded === 'delivered' || coded === 'returned';
  const takenBack = isEnd && worded.code !== coded ? undone[worded.meaning] : undefined;
  // An attempt or a receipt beside a stated delivery does not take it back.
  const stands =
    coded === 'delivered' &&
    (worded.meaning === 'delivery_attempted' ? statesDelivery(words) : beginsWithDelivery.test(words));
  const instead = stands ? undefined : takenBack;
  const isConflict =
    instead !== undefined || (!silent.includes(worded.meaning) && groupOf(coded) !== groupOf(worded.code));
  return { code: instead ?? coded, isConflict };
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
