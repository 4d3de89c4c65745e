import type { EventCode, TrackingEvent } from '../events/event.ts';
import { eventTimeMs, isLater, isLive } from '../events/event-order.ts';
import { isOfWhole } from '../events/event-subject.ts';
import { placeKey } from '../events/place-key.ts';
import type { TransportMode } from '../events/transport-mode.ts';

/** Events that show a load on its way after a delivery elsewhere. */
const onwardCodes: readonly EventCode[] = [
  'picked_up',
  'in_transit',
  'arrived_at_facility',
  'out_for_delivery',
  'delivery_attempted',
  'delivered',
];

/**
 * Ids of the deliveries, and of their plans and estimates, at stops of a truckload that others follow. They say nothing
 * about the shipment: it is delivered at the last stop that is known, and its promise is that stop's. A stop is known by
 * its number, and one without a number by what the load does later at another place.
 */
export function earlierStops(events: readonly TrackingEvent[], mode: TransportMode): ReadonlySet<string> {
  const earlier = new Set<string>();
  if (mode !== 'road') return earlier;
  const live = events.filter((event) => isLive(event) && isOfWhole(event));
  const last = live.reduce((most, { details }) => Math.max(most, details?.stopNumber ?? 0), 0);
  // The last event on the way, and the last one at another place than that: one of them is elsewhere.
  const onward = live
    .filter(
      ({ code, classifier, location }) => classifier === 'actual' && onwardCodes.includes(code) && placeKey(location),
    )
    .sort((left, right) => eventTimeMs(right) - eventTimeMs(left));
  const [latest] = onward;
  const elsewhere = onward.find(({ location }) => placeKey(location) !== placeKey(latest?.location ?? null));
  for (const event of events) {
    if (event.code !== 'delivered' || !isOfWhole(event)) continue;
    const { stopNumber } = event.details ?? {};
    if (stopNumber !== undefined) {
      if (stopNumber < last) earlier.add(event.id);
      continue;
    }
    const place = placeKey(event.location);
    if (event.classifier !== 'actual' || place === null) continue;
    const next = placeKey(latest?.location ?? null) === place ? elsewhere : latest;
    if (next !== undefined && isLater(next, event)) earlier.add(event.id);
  }
  return earlier;
}
