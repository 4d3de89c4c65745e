import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { EventCode, LegRole } from '#shared/domain/events/event.ts';
import { statusOf } from '#shared/domain/journey/status.ts';
import { placeName } from '#shared/route-map/stops.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import { whoStates } from '../../../parts/words/source-words.ts';
import { carrierMoment } from '../carrier-time.ts';
import { unitOf, unitsOf, unitWords } from '../timeline/event-unit.ts';
import { type Positioned, positionWords, spreadWords } from './position-words.ts';

type Known = Positioned &
  Pick<
    WireShipment,
    'status_evidence' | 'events' | 'latest_event' | 'containers' | 'pieces' | 'carrier_name' | 'tracking'
  >;

/** An event as the predicate of a sentence whose subject is the shipment: `departed Busan`. */
const phrases: Record<string, (place: string) => string> = {
  information_received: () => 'was announced',
  booking_confirmed: () => 'has a confirmed booking',
  document_issued: () => 'has its transport document',
  gate_out_empty: (place) => `left ${place || 'the depot'} empty`,
  stuffed: (place) => `was stuffed${at(place)}`,
  received_from_shipper: (place) => `was received from the shipper${at(place)}`,
  gate_in_full: (place) => `was gated in full${at(place)}`,
  manifested: (place) => `is on the manifest${at(place)}`,
  picked_up: (place) => `was picked up${at(place)}`,
  loaded: (place) => `was loaded${at(place)}`,
  rail_loaded: (place) => `was loaded on the train${at(place)}`,
  departed: (place) => `departed${place === '' ? '' : ` ${place}`}`,
  rail_departed: (place) => `left ${place || 'the ramp'} by rail`,
  in_transit: (place) => `is in transit${place === '' ? '' : `, last at ${place}`}`,
  arrived: (place) => `arrived${at(place)}`,
  rail_arrived: (place) => `arrived by rail${at(place)}`,
  discharged: (place) => `was discharged${at(place)}`,
  rail_unloaded: (place) => `was unloaded from the train${at(place)}`,
  received_from_flight: (place) => `was received from the flight${at(place)}`,
  available_for_pickup: (place) => `is available for pickup${at(place)}`,
  gate_out_full: (place) => `left ${place || 'the terminal'} full`,
  arrived_at_facility: (place) => `arrived at a facility${at(place)}`,
  departed_facility: (place) => `departed from a facility${at(place)}`,
  delivery_attempted: (place) => `had a delivery attempt${at(place)}`,
  out_for_delivery: (place) => `is out for delivery${at(place)}`,
  delivered: (place) => `was delivered${at(place)}`,
  gate_in_empty: (place) => `was returned empty${at(place)}`,
  return_started: () => 'is on its way back to the shipper',
  returned: () => 'was returned to the shipper',
  cancelled: () => 'is cancelled',
  lost: () => 'is lost',
  destroyed: () => 'is destroyed',
  undeliverable: () => 'cannot be delivered',
};

/** The reason for the status in sentences: its latest evidence, where the cargo is, and how its containers differ. */
export function statusReason(shipment: Known, now: number): string {
  const sentences = [evidenceWords(shipment, now), positionWords(shipment), spreadWords(shipment)];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function evidenceWords(shipment: Known, now: number): string {
  const { status_evidence: evidence, carrier_name: carrier } = shipment;
  if (evidence === null) return undecided(shipment);
  const event = latestEvidence(shipment);
  if (evidence.source === 'client')
    return `You marked the shipment as cancelled${event === null ? '' : ` on ${carrierMoment(event.time, now)}`}.`;
  const source = evidence.source === 'test' ? 'The test journey' : whoStates(event?.source ?? evidence.source, carrier);
  const code = event?.code ?? evidence.code;
  const phrase = phrases[code]?.(event === null ? '' : placeName(event.location)) ?? `has the event “${wordOf(code)}”`;
  if (event === null) return `${source} reported that the shipment ${phrase}.`;
  return `${source} reported that the shipment ${phrase} on ${carrierMoment(event.time, now)}${unitCountWords(shipment, event)}.`;
}

/** The newest event that stands for the status; it may be later than the one that first decided it. */
function latestEvidence({ events, latest_event: latest, status, status_evidence: evidence }: Known): WireEvent | null {
  const all = latest === null ? events : [...events, latest];
  const standing = all.filter(
    ({ classifier, code, leg_role: role, flags }) =>
      classifier === 'actual' && flags.length === 0 && statusOf(code as EventCode, role as LegRole) === status,
  );
  const [newest] = standing.toSorted((one, other) => Date.parse(other.time.at) - Date.parse(one.time.at));
  return newest ?? all.find(({ event_id: id }) => id === evidence?.event_id) ?? null;
}

/**
 * The containers or pieces of an event: its own and those of the same event at the same time. An event without one
 * covers all of them.
 */
export function unitsOfEvent(shipment: Pick<Known, 'containers' | 'pieces' | 'events'>, event: WireEvent): string[] {
  const own = unitOf(event);
  if (own === null) return unitsOf(shipment).all.map(({ number }) => number);
  const sameEvents = shipment.events.filter(
    (one) => one.code === event.code && one.classifier === event.classifier && one.time.at === event.time.at,
  );
  return [...new Set([own, ...sameEvents.flatMap((one) => unitOf(one) ?? [])])];
}

function unitCountWords(shipment: Known, event: WireEvent): string {
  const { kind, all } = unitsOf(shipment);
  if (all.length < 2) return '';
  const named = unitsOfEvent(shipment, event);
  if (named.length === all.length)
    return all.length === 2 ? `, with both ${kind}s` : `, with all ${all.length} ${kind}s`;
  const [first = ''] = named;
  return named.length === 1
    ? `, with ${kind === 'piece' ? 'piece ' : ''}${unitWords(kind, first)}`
    : `, with ${named.length} of ${all.length} ${kind}s`;
}

function undecided({ carrier_name: carrier, tracking, latest_event: latest }: Known): string {
  if (tracking?.mode === 'pushed' && latest === null) return 'No event has been pushed yet.';
  if (tracking?.freshness === 'never' && tracking.state === 'queued') return `${carrier} has not been polled yet.`;
  if (tracking?.reason === 'credentials_missing' || tracking?.reason === 'carrier_auth_failed')
    return `Landfall has no usable credentials for ${carrier}.`;
  if (tracking?.state === 'awaiting_carrier') return `${carrier} has no record of the number yet.`;
  if (tracking?.state === 'failed' && latest === null) return `${carrier} reported nothing before tracking failed.`;
  if (latest !== null) return `No event from ${carrier} determines the status.`;
  if (tracking?.last_succeeded_at === null) return `${carrier} has not responded yet.`;
  return `${carrier} has not reported a movement yet.`;
}

function at(place: string): string {
  return place === '' ? '' : ` in ${place}`;
}
