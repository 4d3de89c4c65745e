import type { CarrierTime, ReadEvent } from './event.ts';
import { placeKey } from './place-key.ts';

export type DedupeEvent = Pick<
  ReadEvent,
  | 'code'
  | 'classifier'
  | 'container'
  | 'document'
  | 'location'
  | 'vehicle'
  | 'time'
  | 'carrierCode'
  | 'carrierDescription'
  | 'delayReason'
  | 'empty'
  | 'details'
  | 'description'
  | 'mode'
  | 'sourceEventId'
  | 'sourceCreatedAt'
>;

/**
 * Returns the identity of an event without its time: the connector family (push and pull alike), code, classifier,
 * container or document, place, voyage or flight, and piece. Excludes vessel name and facility, which are enriched
 * later. Rows with one revision text are candidates for replacing one another. A planned or estimated event also has
 * its carrier's code, because many codes share one of ours; an expected delivery is one, whatever the carrier calls it.
 */
export function revisionText(event: DedupeEvent, connectorFamily: string): string {
  const subject = event.container ?? event.document ?? '';
  const journey = event.vehicle?.voyage ?? event.vehicle?.flight ?? '';
  const isMarked = event.classifier !== 'actual' && event.code !== 'delivered';
  return joined([
    connectorFamily,
    event.code,
    event.classifier,
    compact(subject),
    placeKey(event.location) ?? '',
    compact(journey),
    ...(isMarked ? [event.carrierCode ?? ''] : []),
    // Texts stored before events had details have no part for them.
    ...(event.details?.piece === undefined ? [] : [`piece ${compact(event.details.piece)}`]),
  ]);
}

/**
 * Returns the content of an event: its time as stated (an instant, or else the local time), its code and its words, the
 * window of a delivery, how many pieces of a shipment that travels in parts, and its statements about holds, fees and
 * free days. Equal content has one text, and any difference another.
 */
export function statementText(event: DedupeEvent): string {
  const empty = event.empty === null ? '' : event.empty ? 'empty' : 'laden';
  const { window, piecesCount, holds, fees, freeDays, available, sourceName } = event.details ?? {};
  return joined([
    statedTime(event.time),
    event.carrierCode ?? '',
    event.delayReason ?? '',
    empty,
    event.carrierDescription ?? '',
    ...(window === undefined ? [] : [`window ${[window.from, window.to].map(windowEnd).join('/')}`]),
    ...(piecesCount === undefined ? [] : [`pieces ${piecesCount}`]),
    // Of lists of values, since the database returns the names in another order.
    ...(holds === undefined
      ? []
      : listed(
          'holds',
          holds.map(({ type, status, detail }) => [type, status, detail]),
        )),
    ...(fees === undefined
      ? []
      : listed(
          'fees',
          fees.map(({ type, amount, currency }) => [type, amount, currency]),
        )),
    ...(freeDays === undefined
      ? []
      : listed(
          'free',
          freeDays.map(({ by, kind, day }) => [by, kind, day]),
        )),
    ...(available === undefined ? [] : [`available ${available}`]),
    ...(sourceName === undefined ? [] : [restOfPushed(event)]),
  ]);
}

function listed(name: string, rows: readonly (readonly unknown[])[]): string[] {
  return [`${name} ${JSON.stringify(rows)}`];
}

/** A client's source answers for every word of what it pushes, so two of its statements are the same if all is. */
function restOfPushed(event: DedupeEvent): string {
  const { sourceEventId, sourceCreatedAt, description, vehicle, location, time, mode } = event;
  return JSON.stringify([
    sourceEventId,
    sourceCreatedAt,
    description,
    mode,
    time.at,
    vehicle && [vehicle.name, vehicle.imo, vehicle.voyage, vehicle.flight],
    location && [location.name, location.country, location.lat, location.lng, location.facility],
  ]);
}

/** The time as the carrier states it: an instant, or else the local time. */
export function statedTime({ zoneSource, at, local }: CarrierTime): string {
  return zoneSource === 'carrier' ? at : local;
}

function windowEnd(time: CarrierTime | null): string {
  return time === null ? '' : statedTime(time);
}

/**
 * The text that makes an event unique within its shipment: the revision text and what the carrier says. `occurrence`
 * distinguishes the rows of a time that was replaced and came back (0 for the first). Events are matched by their
 * content, never by a stored text.
 */
export function dedupeText(event: DedupeEvent, connectorFamily: string, occurrence = 0): string {
  const text = `${revisionText(event, connectorFamily)}|${statementText(event)}`;
  return occurrence === 0 ? text : `${text}|${occurrence}`;
}

function joined(parts: readonly string[]): string {
  return parts.map((part) => (part.includes('|') ? part.replaceAll('|', ' ') : part)).join('|');
}

function compact(text: string): string {
  return text.toUpperCase().replace(/\s/g, '');
}
