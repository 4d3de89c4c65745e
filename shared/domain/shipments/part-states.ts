import { maxStatedPieces, type StatedFacts, type TrackingEvent } from '../tracking/event.ts';
import { compareText } from '../tracking/event-order.ts';
import { type PartKind, subjectOf } from '../tracking/event-subject.ts';
import { compareSeen } from '../tracking/promised-times.ts';
import type { ContainerState, PieceState, ShipmentException, Status } from './shipment.ts';
import type { PartFold } from './status.ts';

/** The containers as the record shows them. `live` events have not been voided or replaced. */
export function composeContainers(
  folds: readonly PartFold[],
  live: readonly TrackingEvent[],
  opened: readonly ShipmentException[],
): ContainerState[] {
  const events = eventsByPart(live, 'container');
  return folds.map(({ number, status, decidedBy }) => {
    const own = events.get(number) ?? [];
    const holds = opened.filter(
      ({ code, resolvedAt, container, piece }) =>
        code.endsWith('_hold') && resolvedAt === null && piece === null && (container ?? number) === number,
    );
    return {
      number,
      isoType: own.findLast((event) => event.isoType !== null)?.isoType ?? null,
      status,
      seals: [...new Set(own.findLast((event) => event.seals.length > 0)?.seals ?? [])].sort(compareText),
      holds: [...new Set(holds.map((exception) => exception.code))].sort(compareText),
      lastFreeDay: null,
      decidingEventId: decidedBy?.id ?? null,
    };
  });
}

/**
 * The pieces as the record shows them, at most `maxStatedPieces`. One piece under the shipment's own number is the
 * shipment itself and is not listed.
 */
export function composePieces(
  folds: readonly PartFold[],
  live: readonly TrackingEvent[],
  { facts, trackingNumber }: { facts: StatedFacts | undefined; trackingNumber: string | null },
): PieceState[] {
  const [first, second] = folds;
  if (first === undefined || (second === undefined && first.number === trackingNumber)) return [];
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
