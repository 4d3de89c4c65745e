import type { Classifier, EventCode, ReadEvent, TrackingEvent } from './event.ts';
import { localDay } from './local-day.ts';

/** An actual event later than now plus this is stored but doesn't count yet (ms). */
export const futureToleranceMs = 24 * 3_600_000;

type Retractable = Partial<Pick<TrackingEvent, 'supersededBy' | 'voidedAt'>>;
type Timed = Pick<ReadEvent, 'time'>;

/** Neither voided nor superseded. */
export function isLive(event: Retractable): boolean {
  return (event.supersededBy ?? null) === null && (event.voidedAt ?? null) === null;
}

/** The event's time, ms since the epoch. */
export function eventTimeMs(event: Timed): number {
  return Date.parse(event.time.at);
}

/**
 * True when one event surely happened after the other. If the carrier states only the date of one, the days decide: the
 * order within a day is unknown.
 */
export function isLater(event: Timed, than: Timed): boolean {
  if (event.time.precision !== 'date' && than.time.precision !== 'date') return eventTimeMs(event) > eventTimeMs(than);
  return localDay(event.time) > localDay(than.time);
}

/** True when the event is so far ahead of the clock that it doesn't count yet. */
export function isSuspectFuture(event: Timed, nowMs: number): boolean {
  return eventTimeMs(event) > nowMs + futureToleranceMs;
}

/** Code-unit order, the same on every machine (unlike `localeCompare`). */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Merges events with the same dedupe key: a live row wins over a retracted one, then the first received. The order of
 * the input doesn't matter.
 */
export function uniqueEvents<E extends Retractable & Pick<TrackingEvent, 'id' | 'dedupeKey' | 'receivedAt'>>(
  events: readonly E[],
): E[] {
  const byKey = new Map<string, E>();
  for (const event of events) {
    const present = byKey.get(event.dedupeKey);
    if (present === undefined || comparePreference(event, present) < 0) byKey.set(event.dedupeKey, event);
  }
  return [...byKey.values()];
}

/**
 * When the carrier created the event, otherwise when it was received. '' for an unstored event without either. ISO UTC.
 */
export function seenAt(event: Pick<ReadEvent, 'sourceCreatedAt'> & Partial<Pick<TrackingEvent, 'receivedAt'>>): string {
  const text = event.sourceCreatedAt ?? event.receivedAt;
  if (text === undefined) return '';
  // Stored times are ISO already. This runs for each compared pair, so they are not parsed.
  return text.length === 24 && text.endsWith('Z') ? text : new Date(text).toISOString();
}

function comparePreference<E extends Retractable & Pick<TrackingEvent, 'id' | 'receivedAt'>>(
  left: E,
  right: E,
): number {
  return (
    Number(!isLive(left)) - Number(!isLive(right)) ||
    compareText(left.receivedAt, right.receivedAt) ||
    compareText(left.id, right.id) ||
    compareText(left.supersededBy ?? '', right.supersededBy ?? '') ||
    compareText(left.voidedAt ?? '', right.voidedAt ?? '')
  );
}

/** By event time or by time of receipt. `-`: newest first. */
export const eventSorts = ['-time', 'time', '-received_at', 'received_at'] as const;
export type EventSort = (typeof eventSorts)[number];

/** An empty list doesn't filter. Values of one list are OR, different lists are AND. */
export type EventFilter = {
  classifiers: readonly Classifier[];
  codes: readonly EventCode[];
  containers: readonly string[];
};
