import { statedTime, statementText } from '../events/dedupe.ts';
import type { ReadEvent, TrackingEvent } from '../events/event.ts';
import { compareText, eventTimeMs } from '../events/event-order.ts';
import { placeKey } from '../events/place-key.ts';

/** One event of each statement, the last created one, oldest first. Takes them oldest first. */
export function oneOfEach(events: readonly ReadEvent[]): ReadEvent[] {
  const byStatement = new Map<string, ReadEvent>();
  for (const event of events) {
    const statement = statementText(event);
    byStatement.delete(statement);
    byStatement.set(statement, event);
  }
  return [...byStatement.values()];
}

/** True when the carrier states the same in both, at any place and under any code that they are mapped to. */
export function saysSame(left: Omit<ReadEvent, 'raw'>, right: Omit<ReadEvent, 'raw'>): boolean {
  return statementText(left) === statementText(right);
}

/**
 * True when an event is a stored one that is read differently now. `mayMove`: the reading is complete and no longer has
 * the row.
 */
export function isReread(event: ReadEvent, row: TrackingEvent, mayMove: boolean): boolean {
  if (event.classifier !== row.classifier || event.container !== row.container || event.document !== row.document)
    return false;
  const isSamePlace = placeKey(event.location) === placeKey(row.location);
  if (event.details?.piece !== row.details?.piece) return isOfPiece(event, row, { isSamePlace, mayMove });
  return (isSamePlace ? event.code !== row.code : mayMove && event.code === row.code) && saysMore(event, row);
}

/** Events with different keys are never the same one, read differently. Without it, each pair would be compared. */
export function rereadKey({ classifier, time, carrierCode }: Omit<ReadEvent, 'raw'>): string {
  return classifier === 'actual' ? `${statedTime(time)} ${carrierCode ?? ''}` : 'expected';
}

/**
 * True when a statement about the whole shipment is now one about a piece, and expected of a piece, perhaps at another
 * time.
 */
function isOfPiece(
  event: ReadEvent,
  row: TrackingEvent,
  { isSamePlace, mayMove }: { isSamePlace: boolean; mayMove: boolean },
): boolean {
  if (row.details?.piece !== undefined || event.code !== row.code || !isSamePlace) return false;
  if (saysMore(event, row)) return true;
  return mayMove && event.classifier !== 'actual' && event.carrierCode === row.carrierCode;
}

/**
 * True when a stored row states this event already: details that a later release, or a fuller response, adds to it are
 * no change. The window of a delivery is.
 */
export function isStatedAlready(event: TrackingEvent, row: TrackingEvent): boolean {
  return (
    event.code === row.code &&
    event.classifier === row.classifier &&
    event.container === row.container &&
    event.document === row.document &&
    event.details?.window === undefined &&
    placeKey(event.location) === placeKey(row.location) &&
    saysMore(event, row)
  );
}

/** True when an event repeats a row, and perhaps adds to it: details, where none were read before, or further words. */
function saysMore(event: Omit<ReadEvent, 'raw'>, row: TrackingEvent): boolean {
  if (saysSame(event, row)) return true;
  const { details: _, ...bare } = event;
  const [words, former] = [event.carrierDescription, row.carrierDescription];
  const isFuller = words === former || (words !== null && former !== null && words.startsWith(former));
  return isFuller && row.details === undefined && saysSame({ ...bare, carrierDescription: former }, row);
}

/** Without a carrier's timestamp the order of receipt counts: then nothing that arrives now is older. */
export function isOlderThan(incoming: ReadEvent, current: TrackingEvent): boolean {
  return (
    incoming.sourceCreatedAt !== null && current.sourceCreatedAt !== null && createdMs(incoming) < createdMs(current)
  );
}

/** In the carrier's order. Each time is parsed once, not for each compared pair. */
export function oldestFirst(events: readonly ReadEvent[]): ReadEvent[] {
  return events
    .map((event) => ({ event, madeMs: createdMs(event), atMs: eventTimeMs(event) }))
    .sort(
      (left, right) =>
        left.madeMs - right.madeMs ||
        left.atMs - right.atMs ||
        compareText(left.event.time.local, right.event.time.local) ||
        compareText(canonicalBody(left.event), canonicalBody(right.event)),
    )
    .map(({ event }) => event);
}

/** Rows in the carrier's order, then in the order of receipt. */
export function compareStored(left: TrackingEvent, right: TrackingEvent): number {
  return (
    createdMs(left) - createdMs(right) ||
    compareText(left.receivedAt, right.receivedAt) ||
    compareText(left.id, right.id)
  );
}

/** When the carrier created the event, ms since the epoch. 0: it does not say. */
export function createdMs(event: Pick<ReadEvent, 'sourceCreatedAt'>): number {
  return event.sourceCreatedAt === null ? 0 : Date.parse(event.sourceCreatedAt);
}

function canonicalBody({ raw: _raw, ...event }: ReadEvent): string {
  return JSON.stringify(event);
}
