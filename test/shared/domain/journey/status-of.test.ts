import { expect, it } from 'vitest';
import { eventCodes } from '#shared/domain/events/event.ts';
import { statusOf } from '#shared/domain/journey/status.ts';
import type { Status } from '#shared/domain/record/shipment.ts';
import { legRoles } from './event-sets.ts';

const letters: Record<string, Status | null> = {
  b: 'booked',
  t: 'in_transit',
  a: 'arrived',
  p: 'available_for_pickup',
  o: 'out_for_delivery',
  d: 'delivered',
  r: 'returned',
  f: 'failed',
  c: 'cancelled',
  '.': null,
};

// One column per role: origin, pol, transshipment, pod, destination, inland, unknown.
const meanings: Record<(typeof eventCodes)[number], string> = {
  information_received: 'b b b b b b b',
  booking_confirmed: 'b b b b b b b',
  document_issued: 'b b b b b b b',
  gate_out_empty: 'b b b b b b b',
  stuffed: 'b b b b b b b',
  received_from_shipper: 'b b b b b b b',
  gate_in_full: 'b b t a a b b',
  manifested: 'b b b b b b b',
  picked_up: 't t t . . t t',
  loaded: 't t t t t t t',
  departed: 't t t . . t t',
  in_transit: 't t t t t t t',
  arrived: '. . t a a t t',
  discharged: '. . t a a t t',
  rail_loaded: 't t t t t t t',
  rail_departed: 't t t t t t t',
  rail_arrived: 't t t a a t t',
  rail_unloaded: 't t t a a t t',
  received_from_flight: '. . t a a t t',
  customs_inspection: '. . . . . . .',
  customs_hold: '. . . . . . .',
  customs_released: '. . . . . . .',
  consignee_notified: '. . . p p p p',
  documents_delivered: '. . . p p p p',
  available_for_pickup: '. . . p p p p',
  not_available: '. . . a a a a',
  gate_out_full: '. . t o o o o',
  arrived_at_facility: 't t t a a t t',
  departed_facility: 't t t t t t t',
  out_for_delivery: 'o o o o o o o',
  delivery_attempted: 'o o o o o o o',
  delivered: 'd d d d d d d',
  gate_in_empty: '. . . d d d d',
  return_started: 'r r r r r r r',
  returned: 'r r r r r r r',
  delayed: '. . . . . . .',
  cancelled: 'c c c c c c c',
  lost: 'f f f f f f f',
  destroyed: 'f f f f f f f',
  undeliverable: 'f f f f f f f',
  exception: '. . . . . . .',
  notice: '. . . . . . .',
  other: '. . . . . . .',
};

it.each(eventCodes)('maps %s to a status, or none, by its place on the journey', (code) => {
  expect(legRoles.map((role) => statusOf(code, role))).toEqual(
    meanings[code].split(' ').map((letter) => letters[letter]),
  );
});
