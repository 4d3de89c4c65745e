import type { RecordEvent } from '#shared/domain/shipments/shipment.ts';
import { type PlaceForm, placeText, shortText, timeText } from './tool-result.ts';

export type EventForm = {
  places: PlaceForm;
  /** Longest text of the carrier; of a vague code at least a little of it. */
  description: number;
  isDetailed: boolean;
  isBare?: boolean;
};

/** Several containers that did the same at the same time and place are one event with their count. */
export type SharedEvent = RecordEvent & { containersCount?: number };

/** Codes that say nothing without the carrier's own words. */
const vagueCodes: readonly RecordEvent['code'][] = ['exception', 'other'];

/** One event: codes and normalised fields first, the carrier's own words last. */
export function toEventRow(event: SharedEvent, form: EventForm): Record<string, unknown> {
  const words = vagueCodes.includes(event.code)
    ? Math.max(form.description, form.isBare === true ? 20 : 60)
    : form.description;
  return {
    at: timeText(event.time),
    code: event.code,
    classifier: event.classifier === 'actual' ? null : event.classifier,
    place: placeText(event.location, form.places),
    container: event.containersCount === undefined ? shortText(event.container, 20) : null,
    containers: event.containersCount,
    vehicle: form.isDetailed ? shortText(event.vehicle?.name ?? event.vehicle?.flight, 40) : null,
    flags: event.flags,
    source: event.source === 'carrier' ? null : event.source,
    description: shortText(event.description ?? event.carrierDescription, words),
  };
}

/**
 * What has happened, newest first, without what the carrier took back; while nothing has, what is to come, soonest first. With one container its
 * number is left out.
 */
export function happenedTogether(newestFirst: readonly RecordEvent[], containers: number): SharedEvent[] {
  const valid = newestFirst.filter((event) => event.flags.length === 0);
  const happened = valid.filter((event) => event.classifier === 'actual');
  const shown = happened.length > 0 ? happened : valid.toReversed();
  const groups = new Map<string, RecordEvent[]>();
  for (const event of shown) {
    const key = JSON.stringify([
      event.code,
      event.classifier,
      event.time.at,
      placeText(event.location),
      event.container === null,
    ]);
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    if (others.length > 0 && first.container !== null) return [{ ...first, containersCount: others.length + 1 }];
    return [containers > 1 ? first : { ...first, container: null }];
  });
}
