import type { ReadEvent } from '../tracking/event.ts';
import { placeKey } from '../tracking/event-order.ts';

export type DedupeEvent = Pick<
  ReadEvent,
  'code' | 'classifier' | 'container' | 'document' | 'location' | 'vehicle' | 'time'
>;

/**
 * What an event is about, without its time: the connector family (push and pull alike), code, classifier, container or
 * document, place, and voyage or flight. Excludes vessel name and facility, which are enriched later. Rows with one
 * revision text say the same thing at different times, so at most one planned and one estimated row is current.
 */
export function revisionText(event: DedupeEvent, connectorFamily: string): string {
  const subject = event.container ?? event.document ?? '';
  const journey = event.vehicle?.voyage ?? event.vehicle?.flight ?? '';
  const parts = [
    connectorFamily,
    event.code,
    event.classifier,
    compact(subject),
    placeKey(event.location) ?? '',
    compact(journey),
  ];
  return parts.map((part) => (part.includes('|') ? part.replaceAll('|', ' ') : part)).join('|');
}

/**
 * The text that makes an event unique within its shipment: the revision text and the local time to the minute.
 * `occurrence` distinguishes the rows of a time that was replaced and came back (0 for the first).
 */
export function dedupeText(event: DedupeEvent, connectorFamily: string, occurrence = 0): string {
  const text = `${revisionText(event, connectorFamily)}|${localMinute(event)}`;
  return occurrence === 0 ? text : `${text}|${occurrence}`;
}

/** The local time to the minute (`2026-04-15T08:00`), or the date if the carrier gave no more. */
export function localMinute(event: Pick<ReadEvent, 'time'>): string {
  return event.time.local.slice(0, 16);
}

function compact(text: string): string {
  return text.toUpperCase().replace(/\s/g, '');
}
