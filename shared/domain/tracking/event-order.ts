import type { Place, ReadEvent, TrackingEvent } from './event.ts';

/** An actual event later than now plus this is kept but does not count yet (ms). */
export const futureToleranceMs = 24 * 3_600_000;

type Retractable = Partial<Pick<TrackingEvent, 'supersededBy' | 'voidedAt'>>;
type Timed = Pick<ReadEvent, 'time'>;

/** Neither voided nor superseded. */
export function isLive(event: Retractable): boolean {
  return (event.supersededBy ?? null) === null && (event.voidedAt ?? null) === null;
}

/** The event's instant, ms since the epoch. */
export function eventTimeMs(event: Timed): number {
  return Date.parse(event.time.at);
}

/** True when the event is so far ahead of the clock that it does not count yet. */
export function isSuspectFuture(event: Timed, nowMs: number): boolean {
  return eventTimeMs(event) > nowMs + futureToleranceMs;
}

/** Code-unit order, the same on every machine (unlike `localeCompare`). */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Events with one dedupe key become one: a live row before a retracted one, then the first received. Any input order gives one result. */
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

/** A place for comparing: UN/LOCODE, else IATA, else the name without case, accents and punctuation; null when nothing is known. */
export function placeKey(place: Place | null): string | null {
  if (place === null) return null;
  return place.unlocode?.toUpperCase() || place.iata?.toUpperCase() || plainName(place.name ?? '') || null;
}

/** When the carrier made the event, else when we received it; '' for an unstored event that does not say. ISO UTC. */
export function seenAt(event: Pick<ReadEvent, 'sourceCreatedAt'> & Partial<Pick<TrackingEvent, 'receivedAt'>>): string {
  const text = event.sourceCreatedAt ?? event.receivedAt;
  if (text === undefined) return '';
  // As stored it is written so already; this is asked for each pair that is compared.
  return text.length === 24 && text.endsWith('Z') ? text : new Date(text).toISOString();
}

function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
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
