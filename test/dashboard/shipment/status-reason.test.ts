import { expect, it } from 'vitest';
import { statusReason } from '#services/dashboard/screens/shipment/words/status-reason.ts';
import { toWireContainer } from '#shared/contract/record/free-time-wire.ts';
import { eventOf, legOf, placeAt } from './shipment-parts.ts';

const now = Date.parse('2026-04-21T06:00:00Z');
const tracking = {
  state: 'active',
  reason: null,
  freshness: 'fresh',
  last_succeeded_at: '2026-04-21T05:00:00.000Z',
  next_refresh_at: null,
  source: null,
  last_refreshed_at: null,
  last_changed_at: null,
  consecutive_failures: 0,
  trace_id: null,
  trace_kept: false,
  mode: 'polled',
  stale_after_hours: null,
};
const box = (number: string) =>
  toWireContainer({ number, isoType: null, status: 'in_transit', seals: [], decidingEventId: null });
const bare = {
  status: 'in_transit',
  legs: [],
  current_location: null,
  destination: null,
  container_status_counts: {},
  pieces: [],
  piece_status_counts: {},
  status_evidence: null,
  events: [],
  latest_event: null,
  containers: [],
  carrier_name: 'Maersk',
  tracking,
  archived_at: null,
};
const because = (changes: Partial<Parameters<typeof statusReason>[0]>) => statusReason({ ...bare, ...changes }, now);
const evidenceOf = (event: ReturnType<typeof eventOf>) => ({
  event_id: event.event_id,
  code: event.code,
  source: event.source,
});

it('names the carrier, the event, the place and the local time', () => {
  const event = eventOf();
  expect(because({ status_evidence: evidenceOf(event), events: [event] })).toBe(
    'Maersk reported that the shipment departed Busan on 14 Apr 04:30 UTC.',
  );
});

it('states how many of the containers the event covers', () => {
  const events = ['A', 'B', 'C'].map((container) => eventOf({ code: 'loaded', container }));
  const [event] = events as [ReturnType<typeof eventOf>];
  const reason = (count: number, boxes: string[]) =>
    because({ status_evidence: evidenceOf(event), events: events.slice(0, count), containers: boxes.map(box) });
  expect(reason(2, ['A', 'B'])).toMatch(/, with both containers\.$/);
  expect(reason(3, ['A', 'B', 'C'])).toMatch(/, with all 3 containers\.$/);
  expect(reason(2, ['A', 'B', 'C'])).toMatch(/, with 2 of 3 containers\.$/);
  expect(reason(1, ['A', 'B', 'C'])).toMatch(/, with A\.$/);
  expect(reason(1, ['A'])).not.toMatch(/with/);
});

it('names an event that is not among the newest by its code', () => {
  expect(because({ status_evidence: { event_id: 'evt_far', code: 'loaded', source: 'carrier' } })).toBe(
    'Maersk reported that the shipment was loaded.',
  );
});

it('quotes an unknown code', () => {
  expect(because({ status_evidence: { event_id: 'evt_far', code: 'teleported_home', source: 'carrier' } })).toBe(
    'Maersk reported that the shipment has the event “Teleported home”.',
  );
});

it('distinguishes a cancellation by the client from a report of the carrier', () => {
  expect(because({ status_evidence: { event_id: 'evt_far', code: 'cancelled', source: 'client' } })).toBe(
    'You marked the shipment as cancelled.',
  );
});

it('states missing evidence', () => {
  expect(because({ tracking: { ...tracking, state: 'queued', freshness: 'never' } })).toBe(
    'Maersk has not been polled yet.',
  );
  expect(because({ tracking: { ...tracking, state: 'awaiting_carrier' } })).toBe(
    'Maersk has no record of the number yet.',
  );
  expect(because({})).toBe('Maersk has not reported a movement yet.');
});

it('cites the newest event of the status, not the first one', () => {
  const loaded = eventOf({ code: 'loaded', local: '2026-04-13T22:00' });
  const departed = eventOf({ code: 'departed', local: '2026-04-14T04:30' });
  const paper = eventOf({ code: 'document_issued', local: '2026-04-15T09:00' });
  const changes = { status_evidence: evidenceOf(loaded), events: [paper, departed, loaded], latest_event: departed };
  expect(because(changes)).toBe('Maersk reported that the shipment departed Busan on 14 Apr 04:30 UTC.');
});

it('states the place, the vehicle and the next stop of the cargo', () => {
  const event = eventOf();
  const seen = { status_evidence: evidenceOf(event), events: [event] };
  const [busan, singapore, rotterdam] = [
    placeAt('KRPUS', 35.1, 129, 'Busan'),
    placeAt('SGSIN', 1.3, 103.8, 'Singapore'),
    placeAt('NLRTM', 52, 4, 'Rotterdam'),
  ];
  const vehicle = { name: 'EVER GIVEN', imo: null, voyage: '123W', flight: null };
  const leg = { ...legOf(1, busan, singapore, { left: '2026-04-14T04:30' }), vehicle };
  expect(because({ ...seen, legs: [leg], destination: rotterdam })).toMatch(
    / It is at sea on EVER GIVEN \(voyage 123W\) to Singapore, bound for Rotterdam\.$/,
  );
  expect(because({ ...seen, legs: [{ ...leg, to: rotterdam }], destination: rotterdam })).toMatch(
    / It is at sea on EVER GIVEN \(voyage 123W\) to Rotterdam\.$/,
  );
  expect(because({ ...seen, legs: [leg], current_location: singapore, destination: rotterdam })).toMatch(
    / It is in Singapore, bound for Rotterdam\.$/,
  );
  const flight = { ...leg, mode: 'air', vehicle: { ...vehicle, name: null, voyage: null, flight: 'LH8400' } };
  expect(because({ ...seen, legs: [flight] })).toMatch(/ It is under way on flight LH8400 to Singapore\.$/);
  expect(because({ ...seen, status: 'arrived', current_location: rotterdam })).not.toContain('It is');
});

it('states how the containers differ instead of contradicting itself', () => {
  const event = eventOf({ code: 'delivered', container: 'A' });
  const seen = { status_evidence: evidenceOf(event), events: [event] };
  expect(because({ ...seen, container_status_counts: { in_transit: 3, delivered: 1 } })).toMatch(
    / 1 of 4 containers is delivered, 3 are in transit\.$/,
  );
  expect(because({ ...seen, container_status_counts: { in_transit: 4, delivered: 0 } })).not.toMatch(/\d of \d/);
  const pieces = { available_for_pickup: 1, failed: 1, returned: 1 };
  expect(because({ ...seen, piece_status_counts: pieces })).toMatch(/ 1 of 3 pieces is .*, 1 is .*, 1 is .*\.$/);
});
