import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { dictionaryOf, packText, unpackText } from './pack-text.ts';
import { type PackedLists, packLists, type SettledLists, unpackLists } from './settled-lists.ts';

/** A row with its columns as JSON has them: times as text in full precision. */
type JsonRow = Record<string, unknown>;

/**
 * Data of a settled shipment that is packed instead of stored in rows and columns. `raw` is the carrier's own event;
 * null where there is none. `journey` has the lists that its record lacks.
 */
export type History = {
  events: { event: TrackingEvent; raw: unknown }[];
  statusChanges: JsonRow[];
  refreshes: JsonRow[];
  journey: SettledLists;
  cadence: JsonRow | null;
};

/** Grows when the packed text changes its form. Every release reads all forms up to its own. */
const form = 1;

/** A fifth smaller than level 3, for 10 ms of CPU instead of 1 ms a voyage. Nobody waits for it. */
const level = 15;

/** A history as its text holds it. */
type PackedHistory = Omit<History, 'journey'> & { form: number; journey: PackedLists };

export function packHistory(history: History): Buffer {
  const journey = packLists(history.journey, trackingEvents(history));
  const packed: PackedHistory = { form, ...history, journey };
  return packText(JSON.stringify(packed), dictionaryOf('settled'), level);
}

/** Throws for a form of a newer release. */
export function unpackHistory(packed: Uint8Array): History {
  return readHistoryText(unpackText(packed));
}

/** True for an unpacked text that is a history. The text of a journey has no braces around it. */
export function isHistoryText(text: string): boolean {
  return text.startsWith('{');
}

export function readHistoryText(text: string): History {
  const { form: found, ...packed } = JSON.parse(text) as PackedHistory;
  if (found === form) return { ...packed, journey: unpackLists(packed.journey, trackingEvents(packed)) };
  throw new Error(
    `a settled shipment is packed in form ${found}, which this release doesn't know. Run a newer release`,
  );
}

function trackingEvents({ events }: Pick<History, 'events'>): TrackingEvent[] {
  return events.map(({ event }) => event);
}
