import { cutText } from '../cut-text.ts';

/**
 * A carrier's event that could not be read, kept with its raw data. `retracted`: it was read, and the carrier has taken
 * it back.
 */
export type UnreadableEvent = { raw: unknown; reason: string; retracted?: true };

/** Number of events of a response that could not be read, and the most frequent reasons. */
export type Unreadable = { count: number; reasons: string[] };

/** An unreadable event, as it is shown. Beyond a cap, `raw.value` is the start of its JSON as text. */
export type ShownUnreadableEvent = { reason: string; seenAt: string; raw: { value: unknown; truncated: boolean } };

/** Unreadable events that a shipment shows. */
export const maxUnreadableEvents = 100;

const maxReasons = 5;
const maxReasonLength = 200;

/** Null: everything could be read. */
export function countUnreadable(unreadable: readonly UnreadableEvent[]): Unreadable | null {
  const counts = new Map<string, number>();
  for (const { reason, retracted } of unreadable) {
    if (retracted === true) continue;
    const written = cutText(reason, maxReasonLength);
    counts.set(written, (counts.get(written) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  const frequent = [...counts].sort(([, left], [, right]) => right - left);
  return {
    count: frequent.reduce((sum, [, count]) => sum + count, 0),
    reasons: frequent.slice(0, maxReasons).map(([reason]) => reason),
  };
}
