import type { WireEvent } from '#shared/contract/wire-parts.ts';
import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import { wordOf } from '../../../parts/code-words.ts';
import { carrierMoment } from '../carrier-time.ts';
import { placeName } from '../route/route-stops.ts';

type Known = Pick<
  WireShipment,
  'status_evidence' | 'events' | 'latest_event' | 'containers' | 'carrier_name' | 'tracking' | 'archived_at'
>;

/** What a carrier says of the cargo, to stand after "it": `departed Busan`. */
const phrases: Record<string, (place: string) => string> = {
  information_received: () => 'was announced to it',
  booking_confirmed: () => 'has a confirmed booking',
  document_issued: () => 'has its document',
  gate_out_empty: (place) => `left ${place || 'the depot'} empty, to be filled`,
  stuffed: (place) => `was filled${at(place)}`,
  received_from_shipper: (place) => `was received from the shipper${at(place)}`,
  gate_in_full: (place) => `came in full${at(place)}`,
  manifested: (place) => `is on the manifest${at(place)}`,
  picked_up: (place) => `was picked up${at(place)}`,
  loaded: (place) => `was loaded${at(place)}`,
  rail_loaded: (place) => `was loaded on the train${at(place)}`,
  departed: (place) => `departed${place === '' ? '' : ` ${place}`}`,
  rail_departed: (place) => `left ${place || 'the ramp'} by rail`,
  in_transit: (place) => `is on the way${place === '' ? '' : `, last seen at ${place}`}`,
  arrived: (place) => `arrived${at(place)}`,
  rail_arrived: (place) => `arrived by rail${at(place)}`,
  discharged: (place) => `was discharged${at(place)}`,
  rail_unloaded: (place) => `was taken off the train${at(place)}`,
  received_from_flight: (place) => `was received from the flight${at(place)}`,
  available_for_pickup: (place) => `can be collected${at(place)}`,
  gate_out_full: (place) => `left ${place || 'the terminal'} full`,
  arrived_at_facility: (place) => `reached its facility${at(place)}`,
  departed_facility: (place) => `left its facility${at(place)}`,
  delivery_attempted: (place) => `was brought, but could not be handed over${at(place)}`,
  out_for_delivery: (place) => `is on the delivery vehicle${at(place)}`,
  delivered: (place) => `was delivered${at(place)}`,
  gate_in_empty: (place) => `is back empty${at(place)}`,
  return_started: () => 'is on its way back to the shipper',
  returned: () => 'is back with the shipper',
  cancelled: () => 'is cancelled',
  lost: () => 'is lost',
  destroyed: () => 'is destroyed',
  undeliverable: () => 'cannot be delivered',
};

/** Why the status is what it is, as the end of a sentence that begins with the status. */
export function becauseWords(shipment: Known, now: number): string {
  const { status_evidence: evidence, carrier_name: carrier } = shipment;
  if (evidence === null) return undecided(shipment);
  const event = [...shipment.events, shipment.latest_event].find((one) => one?.event_id === evidence.event_id) ?? null;
  if (evidence.source === 'client')
    return `because you cancelled it${event === null ? '' : ` on ${carrierMoment(event.time, now)}`}`;
  const who = evidence.source === 'test' ? 'the test journey' : carrier;
  const phrase =
    phrases[evidence.code]?.(event === null ? '' : placeName(event.location)) ?? `has “${wordOf(evidence.code)}”`;
  if (event === null) return `because ${who} says it ${phrase}`;
  return `because ${who} says it ${phrase} on ${carrierMoment(event.time, now)}${containerWords(shipment, event)}`;
}

/** The numbers of the containers that an event was told of: itself and the others of the same happening; all of them for one about the whole. */
export function containersOf({ containers, events }: Pick<Known, 'containers' | 'events'>, event: WireEvent): string[] {
  if (event.container === null) return containers.map(({ number }) => number);
  const together = events.filter(
    (one) =>
      one.code === event.code &&
      one.classifier === event.classifier &&
      one.time.at === event.time.at &&
      one.container !== null,
  );
  return [...new Set([event.container, ...together.flatMap(({ container }) => container ?? [])])];
}

function containerWords(shipment: Known, event: WireEvent): string {
  const all = shipment.containers.length;
  if (all < 2) return '';
  const named = containersOf(shipment, event).length;
  if (named === all) return all === 2 ? ', with both containers' : `, with all ${all} containers`;
  return named === 1 ? `, with ${event.container}` : `, with ${named} of ${all} containers`;
}

function undecided({ carrier_name: carrier, tracking, latest_event: latest }: Known): string {
  if (tracking?.freshness === 'never' && tracking.state === 'queued')
    return `because ${carrier} has not been asked yet`;
  if (tracking?.state === 'awaiting_carrier') return `because ${carrier} does not know the number yet`;
  if (tracking?.state === 'failed' && latest === null) return `because ${carrier} told nothing before it was given up`;
  if (latest !== null) return `because nothing that ${carrier} told decides where it is`;
  if (tracking?.last_succeeded_at === null) return `because ${carrier} has given no answer yet`;
  return `because ${carrier} has told no movement yet`;
}

function at(place: string): string {
  return place === '' ? '' : ` in ${place}`;
}
