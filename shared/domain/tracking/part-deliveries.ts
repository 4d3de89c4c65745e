import type { TrackingEvent } from './event.ts';
import { isOfWhole } from './event-subject.ts';

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
  const counts = happened.flatMap((event) => (isOfWhole(event) ? (event.details?.piecesCount ?? []) : []));
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
