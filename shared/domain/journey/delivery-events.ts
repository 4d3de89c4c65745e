import type { CarrierTime, TrackingEvent } from '../events/event.ts';
import { compareText, eventTimeMs, seenAt } from '../events/event-order.ts';
import { isOfWhole, subjectOf } from '../events/event-subject.ts';
import { compareSeen, type TimeEvents, timeEventsOf } from '../record/promised-times.ts';
import type { PartFold } from './status.ts';
import { statusRanks } from './status-transitions.ts';

/** An expected delivery is late once its window has ended, so the end of the window is when it is expected. */
export function withWindowEnd(event: TrackingEvent): TrackingEvent {
  const end = event.classifier === 'actual' ? null : (event.details?.window?.to ?? null);
  return end === null ? event : { ...event, time: end };
}

/**
 * The events that the times of a delivery are read from. A shipment of several pieces is delivered with its last one:
 * it is expected when the last open piece is, and was promised for when the last piece was.
 */
export function deliveryEvents(deliveries: readonly TrackingEvent[], pieces: readonly PartFold[]): TimeEvents {
  if (pieces.length === 0) return timeEventsOf(deliveries);
  const active = activePieces(pieces);
  const open = active.filter(({ status }) => status !== 'delivered');
  const whole = deliveries.filter(isOfWhole);
  const own = Map.groupBy(deliveries, (event) => subjectOf(event).piece);
  const chosenOf = ({ number }: PartFold) => timeEventsOf([...whole, ...(own.get(number) ?? [])]);
  const promised = active.map(chosenOf);
  const expected = open.length === 0 ? promised : open.map(chosenOf);
  return {
    planned: latest(expected.map(({ planned }) => planned)),
    estimated: latest(expected.map(({ estimated }) => estimated)),
    actual: timeEventsOf(deliveries).actual,
    firstEstimated: latest(promised.map(({ firstEstimated }) => firstEstimated)),
    promise: latest(promised.map(({ promise }) => promise)),
  };
}

/**
 * Ids of the deliveries that leave pieces of the shipment behind: they say nothing about its status. A shipment that
 * travels in parts is delivered with the delivery that brings the pieces to `stated`, or, where the carrier does not
 * state it, to the most pieces that any event is about. A delivery without a number of pieces is that of all.
 *
 * The pieces of one code add up: with another code (to the agent, to the door) the same pieces may be reported again.
 * `happened`: live actual events that count, in the order of folding.
 */
export function partDeliveries(happened: readonly TrackingEvent[], stated: number | undefined): ReadonlySet<string> {
  const parts = new Set<string>();
  const counts = happened.flatMap((event) =>
    isOfWhole(event) ? [event.details?.piecesCount ?? 0, event.details?.piecesTotal ?? 0] : [],
  );
  const whole = stated ?? counts.reduce((most, count) => Math.max(most, count), 0);
  const delivered = new Map<string | null, number>();
  for (const event of happened) {
    const count = event.details?.piecesCount;
    if (event.code !== 'delivered' || count === undefined || !isOfWhole(event)) continue;
    const sum = (delivered.get(event.carrierCode) ?? 0) + count;
    delivered.set(event.carrierCode, sum);
    if (sum < whole) parts.add(event.id);
  }
  return parts;
}

/** Returns the expected delivery of the whole shipment with each estimate: that of its last piece. */
export function deliveryForecasts(
  estimates: readonly TrackingEvent[],
  pieces: readonly PartFold[],
): { event: TrackingEvent; eta: CarrierTime }[] {
  if (pieces.length === 0) return estimates.map((event) => ({ event, eta: event.time }));
  const active = new Set(activePieces(pieces).map(({ number }) => number));
  const counting = estimates.filter((event) => isOfWhole(event) || active.has(subjectOf(event).piece ?? ''));
  const expected = new Map<string, TrackingEvent>();
  const forecasts: { event: TrackingEvent; eta: CarrierTime }[] = [];
  // Estimates of one moment are one statement about all of the pieces.
  for (const together of Map.groupBy(counting.sort(compareSeen), seenAt).values()) {
    for (const event of together) {
      const { piece } = subjectOf(event);
      for (const number of piece === null ? active : [piece]) expected.set(number, event);
    }
    const last = latest([...expected.values()]);
    const event = together.at(-1);
    if (last !== undefined && event !== undefined) forecasts.push({ event, eta: last.time });
  }
  return forecasts;
}

/** Pieces that are still to be delivered or have been. With none, all. */
function activePieces(pieces: readonly PartFold[]): readonly PartFold[] {
  const active = pieces.filter(({ status }) => statusRanks[status] <= statusRanks.delivered);
  return active.length === 0 ? pieces : active;
}

function latest(events: readonly (TrackingEvent | undefined)[]): TrackingEvent | undefined {
  return events
    .filter((event) => event !== undefined)
    .sort((left, right) => eventTimeMs(left) - eventTimeMs(right) || compareText(left.dedupeKey, right.dedupeKey))
    .at(-1);
}
