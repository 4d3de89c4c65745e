import type { Classifier, ReadEvent, StatedFacts } from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { child, type LenientObject, text } from '../lenient-object.ts';
import { statedFacts } from '../reading/stated-facts.ts';
import { readTotals } from './read-totals.ts';

/** A line of the milestone plan, or one that the booking stands in for. */
export type MilestoneLine = {
  raw: unknown;
  fields: LenientObject;
  carrierCode: string;
  station: string | null;
  flight: string | null;
};

/** The product, and the pieces and weight of the whole shipment. */
export function readBooking(booking: LenientObject | null): {
  facts: StatedFacts | undefined;
  unreadable: UnreadableEvent[];
} {
  const product = child(booking, 'product');
  const code = text(child(product, 'productConditions'), 'productCode');
  const { totals, unreadable } = readTotals(booking, 'totals');
  return { facts: statedFacts({ service: { code, name: text(product, 'productName') }, ...totals }), unreadable };
}

type Make = (line: MilestoneLine, name: string, classifier: Classifier) => ReadEvent | null;

/**
 * The times that were promised with the booking: the latest acceptance (`lAT`) and the time of availability (`tOA`).
 * They stand in for a milestone that the plan does not have, because the plan is newer.
 */
export function promisedEvents(
  booking: LenientObject | null,
  milestones: readonly MilestoneLine[],
  make: Make,
): ReadEvent[] {
  const frame = child(booking, 'originalTimeFrame');
  if (frame === null) return [];
  const isPlanned = (code: string) =>
    milestones.some((line) => line.carrierCode === code && text(line.fields, 'plannedTime') !== null);
  const promise = (name: string, code: string, end: string): ReadEvent[] => {
    const station = text(booking, end)?.toUpperCase() ?? null;
    if (isPlanned(code) || text(frame, name) === null) return [];
    const event = make(
      { raw: booking?.get('originaltimeframe'), fields: frame, carrierCode: code, station, flight: null },
      name,
      'planned',
    );
    return event === null ? [] : [event];
  };
  return [...promise('lAT', 'RCS', 'origin'), ...promise('tOA', 'NFD', 'destination')];
}
