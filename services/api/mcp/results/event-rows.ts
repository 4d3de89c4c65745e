import { shownSource } from '#shared/domain/events/event-subject.ts';
import type { RecordEvent } from '#shared/domain/record/shipment.ts';
import { type PlaceForm, placeText, shortText, timeText, windowText } from './tool-result.ts';

export type EventForm = {
  places: PlaceForm;
  /** Maximum length of the carrier's description. Vague codes always keep some of it. */
  description: number;
  isDetailed: boolean;
  isBare?: boolean;
  /** Maximum length of the number of a piece. */
  pieceNumber: number;
};

/** The same event of several containers or pieces at the same time and place is one event with their count. */
export type SharedEvent = RecordEvent & { containersCount?: number; mergedPieces?: number };

/** Codes that mean little without the carrier's description. */
const vagueCodes: readonly RecordEvent['code'][] = ['exception', 'other'];

/** One event: codes and normalized fields first, the carrier's description last. */
export function toEventRow(event: SharedEvent, form: EventForm): Record<string, unknown> {
  const words = vagueCodes.includes(event.code)
    ? Math.max(form.description, form.isBare === true ? 20 : 60)
    : form.description;
  const { details } = event;
  return {
    at: timeText(event.time),
    code: event.code,
    classifier: event.classifier === 'actual' ? null : event.classifier,
    status_detail: details?.statusDetail,
    place: placeText(event.location, form.places),
    container: event.containersCount === undefined ? shortText(event.container, 20) : null,
    containers: event.containersCount,
    piece: event.mergedPieces === undefined ? shortText(details?.piece, form.pieceNumber) : null,
    pieces: event.mergedPieces ?? details?.piecesCount,
    ...(form.isDetailed && {
      window: windowText(details?.window),
      weight_kg: details?.weightKg,
      uld: shortText(details?.uld, 20),
    }),
    vehicle: form.isDetailed ? shortText(event.vehicle?.name ?? event.vehicle?.flight, 40) : null,
    flags: event.flags,
    source: event.source === 'carrier' ? null : shownSource(event),
    description: shortText(event.description ?? event.carrierDescription, words),
  };
}

/**
 * The actual events, without voided ones; if there are none, the coming events. Both in the order of the record. With a
 * single container its number is omitted.
 */
export function mergeEvents(events: readonly RecordEvent[], containers: number): SharedEvent[] {
  const valid = events.filter((event) => event.flags.length === 0);
  const happened = valid.filter((event) => event.classifier === 'actual');
  const shown = happened.length > 0 ? happened : valid;
  const groups = new Map<string, RecordEvent[]>();
  for (const event of shown) {
    const key = JSON.stringify([
      event.code,
      event.classifier,
      event.time.at,
      placeText(event.location),
      event.container === null,
      event.details?.piece === undefined,
      event.details?.statusDetail,
      event.details?.piecesCount,
    ]);
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    if (others.length > 0 && first.container !== null) return [{ ...first, containersCount: others.length + 1 }];
    if (others.length > 0 && first.details?.piece !== undefined) return [{ ...first, mergedPieces: others.length + 1 }];
    return [containers > 1 ? first : { ...first, container: null }];
  });
}
