import type { TrackingEvent } from '#shared/domain/tracking/event.ts';
import { dictionaryOf, packText, unpackText } from '../packing/pack-text.ts';

/** A row with its columns as JSON has them: times as text in full precision. */
type JsonRow = Record<string, unknown>;

/** What a settled shipment no longer has as rows. `raw` is what the carrier sent; null where the event has none. */
export type History = {
  events: { event: TrackingEvent; raw: unknown }[];
  statusChanges: JsonRow[];
  refreshes: JsonRow[];
};

/** Grows when the packed text changes its form. Every release reads all forms up to its own. */
const form = 1;

/** A fifth smaller than level 3, for 10 ms of CPU instead of 1 ms a voyage. Nobody waits for it. */
const level = 15;

export function packHistory(history: History): Buffer {
  return packText(JSON.stringify({ form, ...history }), dictionaryOf('settled'), level);
}

/** Throws for a form of a newer release. */
export function unpackHistory(packed: Uint8Array): History {
  const { form: found, ...history } = JSON.parse(unpackText(packed)) as History & { form: number };
  if (found === form) return history;
  throw new Error(
    `a settled shipment is packed in form ${found}, which this release doesn't know. Run a newer release`,
  );
}
