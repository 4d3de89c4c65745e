import { maxStatedPieces, type Place, type StatedFacts, type TrackingEvent } from '../events/event.ts';
import { compareText } from '../events/event-order.ts';
import { isOfWhole, type PartKind, subjectOf } from '../events/event-subject.ts';
import { readFreeTimeFacts } from '../free-time/read-facts.ts';
import { compareSeen } from '../record/promised-times.ts';
import type { ContainerState, PieceState, Status } from '../record/shipment.ts';
import type { PartFold } from './status.ts';

/** `live` events have not been voided or replaced; `happened` are the actual ones among them that count. */
type ContainerEvents = {
  live: readonly TrackingEvent[];
  happened: readonly TrackingEvent[];
  /** Destination of the journey. */
  destination: Place | null;
  /** False: its containers have no clocks. */
  hasFreeTime: boolean;
};

/** The containers as the record shows them, before their free time is assessed. */
export function composeContainers(
  folds: readonly PartFold[],
  { live, happened, destination, hasFreeTime }: ContainerEvents,
): ContainerState[] {
  const events = eventsByPart(live, 'container');
  const [ofWhole, own] = [happened.filter(isOfWhole), Map.groupBy(happened, ({ container }) => container)];
  const liveOfWhole = live.filter(isOfWhole);
  return folds.map(({ number, status, decidedBy }) => {
    const named = events.get(number) ?? [];
    const facts = readFreeTimeFacts([...ofWhole, ...(own.get(number) ?? [])], [...liveOfWhole, ...named], destination);
    return {
      number,
      isoType: named.findLast((event) => event.isoType !== null)?.isoType ?? null,
      status,
      seals: [...new Set(named.findLast((event) => event.seals.length > 0)?.seals ?? [])].sort(compareText),
      ...((facts !== undefined || !hasFreeTime) && {
        freeTime: { ...(facts && { facts }), ...(!hasFreeTime && { clocks: [] }) },
      }),
      decidingEventId: decidedBy?.id ?? null,
    };
  });
}

/**
 * The pieces as the record shows them, at most `maxStatedPieces`. One piece under the shipment's own number is the
 * shipment itself and is not listed, unless the carrier counts others that it doesn't list.
 */
export function composePieces(
  folds: readonly PartFold[],
  live: readonly TrackingEvent[],
  { facts, trackingNumber }: { facts: StatedFacts | undefined; trackingNumber: string | null },
): PieceState[] {
  const [first, second] = folds;
  const isWhole = second === undefined && first?.number === trackingNumber && (facts?.piecesCount ?? 1) <= 1;
  if (first === undefined || isWhole) return [];
  const stated = new Map(facts?.pieces?.map((piece) => [piece.trackingNumber, piece]));
  const events = eventsByPart(live, 'piece');
  return folds.slice(0, maxStatedPieces).map(({ number, status, statusDetail, decidedBy }) => {
    const weighed = events.get(number)?.findLast((event) => event.details?.weightKg !== undefined);
    return {
      trackingNumber: number,
      status,
      statusDetail,
      weightKg: stated.get(number)?.weightKg ?? weighed?.details?.weightKg ?? null,
      dimensionsCm: stated.get(number)?.dimensionsCm ?? null,
      decidingEventId: decidedBy?.id ?? null,
    };
  });
}

export function countStatuses(folds: readonly { status: Status }[]): Partial<Record<Status, number>> {
  const counts: Partial<Record<Status, number>> = {};
  for (const { status } of folds) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The events that name each part, in the order in which the carrier created them. */
function eventsByPart(live: readonly TrackingEvent[], kind: PartKind): Map<string | null, TrackingEvent[]> {
  return Map.groupBy([...live].sort(compareSeen), (event) => subjectOf(event)[kind]);
}
