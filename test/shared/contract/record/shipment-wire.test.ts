import { expect, it } from 'vitest';
import { toWireShipmentList, wireShipmentList } from '#shared/contract/lists/list-wire.ts';
import { toWireEvent } from '#shared/contract/record/event-wire.ts';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { wireEvent } from '#shared/contract/record/shipment-parts.ts';
import { wireShipment, wireSummary } from '#shared/contract/record/shipment-schemas.ts';
import { toWireShipment, toWireShipmentText, toWireSummary } from '#shared/contract/record/shipment-wire.ts';
import type { CarrierTime, Place } from '#shared/domain/events/event.ts';
import { bareDelivery, nothingStated } from '#shared/domain/journey/delivery.ts';
import type { Journey, RecordEvent, Shipment } from '#shared/domain/record/shipment.ts';

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
const publicSuffix = '01h455vb4pex5vsknk084sn02q';
const at = '2026-04-15T00:00:00.000Z';
const time: CarrierTime = {
  at,
  local: '2026-04-15T08:00',
  timezone: 'Asia/Shanghai',
  zoneSource: 'location',
  precision: 'minute',
};
const place: Place = {
  name: 'Shanghai',
  unlocode: 'CNSHA',
  iata: null,
  country: 'CN',
  lat: 31.2,
  lng: 121.5,
  timezone: 'Asia/Shanghai',
  facility: null,
};
const noTimes = { planned: null, estimated: null, actual: null };
const vehicle = { name: 'Ever Given', imo: '9811000', voyage: '123W', flight: null };

const event: RecordEvent = {
  id: uuid,
  code: 'departed',
  classifier: 'actual',
  legRole: 'pol',
  time,
  location: place,
  container: 'CSQU3054383',
  isoType: '45G1',
  mode: 'ocean',
  vehicle,
  empty: false,
  seals: ['S1'],
  delayReason: null,
  document: null,
  description: null,
  carrierCode: 'DEPA',
  carrierDescription: 'Departed',
  sourceEventId: 'secret-1',
  sourceCreatedAt: at,
  source: 'carrier',
  dedupeKey: 'k',
  receivedAt: at,
  supersededBy: uuid,
  voidedAt: null,
  leg: 1,
  flags: ['superseded'],
  fulfilledBy: null,
};
const nothingPromised = {
  ...noTimes,
  originalEstimated: null,
  promised: null,
  delayBasis: null,
  delayHours: null,
  source: null,
};

const emptyJourney: Journey = {
  status: 'pending',
  statusEvidence: null,
  latestEvent: null,
  origin: null,
  destination: null,
  currentLocation: null,
  departure: noTimes,
  arrival: nothingPromised,
  delivery: bareDelivery(nothingPromised),
  ...nothingStated,
  pieces: [],
  eta: null,
  delayHours: null,
  delayBasis: null,
  etaHistory: [],
  legs: [],
  containers: [],
  containerStatusCounts: {},
  freeTime: null,
  exceptions: [],
  hasException: false,
  eventsCount: 0,
  events: [],
  nextEligibleAt: null,
};

const fullJourney: Journey = {
  status: 'in_transit',
  statusEvidence: { eventId: uuid, code: 'departed', source: 'carrier' },
  latestEvent: event,
  origin: place,
  destination: place,
  currentLocation: place,
  departure: { planned: time, estimated: time, actual: time },
  arrival: {
    planned: time,
    estimated: time,
    actual: null,
    originalEstimated: time,
    promised: time,
    delayBasis: 'planned',
    delayHours: 31,
    source: 'carrier',
  },
  delivery: bareDelivery({ ...nothingPromised, estimated: time }),
  ...nothingStated,
  pieces: [],
  eta: { time, kind: 'arrival', source: 'carrier' },
  delayHours: 31,
  delayBasis: 'planned',
  etaHistory: [{ eta: time, kind: 'arrival', seenAt: at, source: 'carrier' }],
  legs: [
    {
      sequence: 1,
      mode: 'ocean',
      from: place,
      to: place,
      vehicle,
      departure: noTimes,
      arrival: { ...noTimes, estimated: time },
      delayHours: 31,
      delayBasis: 'planned',
    },
  ],
  containers: [
    {
      number: 'CSQU3054383',
      isoType: '45G1',
      status: 'in_transit',
      seals: ['S1'],
      freeTime: { clocks: [] },
      decidingEventId: null,
    },
  ],
  containerStatusCounts: { in_transit: 1 },
  freeTime: null,
  exceptions: [
    {
      code: 'delayed',
      severity: 'warning',
      message: 'late',
      openedAt: at,
      resolvedAt: null,
      eventId: uuid,
      container: null,
      piece: null,
    },
  ],
  hasException: true,
  eventsCount: 1,
  events: [event],
  nextEligibleAt: null,
};

const shipment: Shipment = {
  id: uuid,
  accountId: uuid,
  test: false,
  transportMode: 'ocean',
  serviceType: null,
  carrier: 'MAEU',
  carrierName: 'Maersk',
  identifiers: { mbl: 'MAEU123456789' },
  reference: 'PO-7741',
  references: ['PO-7741'],
  tags: ['acme'],
  metadata: { buyer: 'x' },
  destinationPostalCode: null,
  statusChangedAt: null,
  overdueHours: null,
  late: false,
  journey: emptyJourney,
  tracking: {
    mode: 'polled',
    staleAfterHours: null,
    state: 'queued',
    reason: null,
    freshness: 'never',
    source: null,
    lastRefreshedAt: null,
    lastSucceededAt: null,
    lastChangedAt: null,
    nextRefreshAt: at,
    consecutiveFailures: 0,
    traceId: null,
    traceKept: false,
  },
  warnings: [{ code: 'check_digit_mismatch', field: 'identifiers.mbl', detail: 'x', expected: '3' }],
  createdAt: at,
  updatedAt: at,
  needsAttention: false,
  archivedAt: null,
  currentPosition: null,
  version: 1,
};

it.each([
  ['a new shipment', emptyJourney],
  ['a shipment on its way', fullJourney],
])('%s matches the published schemas with every field present', (_, journey) => {
  const subject = { ...shipment, journey };
  expect(wireShipment.parse(toWireShipment(subject))).toEqual(toWireShipment(subject));
  expect(wireSummary.parse(toWireSummary(subject))).toEqual(toWireSummary(subject));
  expect(Object.keys(toWireShipment(subject)).sort()).toEqual(Object.keys(wireShipment.shape).sort());
  expect(JSON.parse(JSON.stringify(toWireShipment(subject)))).toEqual(toWireShipment(subject));
});

it('a record in the past has no tracking and names its moment', () => {
  const past = toWireShipment({ ...shipment, journey: fullJourney }, at);
  expect(wireShipment.parse(past)).toEqual(past);
  expect(past).toEqual({
    ...toWireShipment({ ...shipment, journey: fullJourney }),
    tracking: null,
    needs_attention: null,
    as_of: at,
  });
});

it('the record has the fields of the contract', () => {
  expect(toWireShipment({ ...shipment, journey: fullJourney })).toMatchObject({
    shipment_id: `shp_${publicSuffix}`,
    object: 'shipment',
    carrier: 'MAEU',
    identifiers: { mbl: 'MAEU123456789', booking: null, container: null, hbl: null },
    status: 'in_transit',
    status_evidence: { event_id: `evt_${publicSuffix}`, code: 'departed', source: 'carrier' },
    arrival: { original_estimated: { at, zone_source: 'location' }, delay_hours: 31, eta_source: 'carrier' },
    tracking: { state: 'queued', freshness: 'never', consecutive_failures: 0 },
  });
  expect(Object.keys(toWireShipment(shipment).identifiers)).toEqual(['mbl', 'booking', 'container', 'hbl']);
});

it.each([
  ['late by the clock', { late: true }, 'late'],
  ['not late', { late: false }, 'on_time'],
  ['late, and delivered', { late: true, actual: time }, 'on_time'],
  ['late in its arrival', { late: true, kind: 'arrival' as const }, 'on_time'],
])('a delivery on time of a shipment that is %s is %s in all of its forms', (_name, given, onTime) => {
  const { late, actual, kind } = { actual: null, kind: 'delivery' as const, ...given };
  const delivery = {
    ...bareDelivery({ ...shipment.journey.delivery, estimated: time, actual }),
    onTime: 'on_time' as const,
  };
  const eta = { time, kind, source: 'carrier' as const };
  const overdue: Shipment = { ...shipment, late, journey: { ...shipment.journey, delivery, eta } };
  const record = toWireShipment(overdue);
  expect(record.delivery.on_time).toBe(onTime);
  expect(toWireSummary(overdue).delivery.on_time).toBe(onTime);
  expect(toWireShipmentText({ ...overdue, status: overdue.journey.status })).toBe(JSON.stringify(record));
});

it('an event contains only its public fields', () => {
  const shown = toWireEvent(event);
  expect(wireEvent.parse(shown)).toEqual(shown);
  expect(shown).toMatchObject({
    event_id: `evt_${publicSuffix}`,
    superseded_by: `evt_${publicSuffix}`,
    leg_role: 'pol',
    leg: 1,
    flags: ['superseded'],
  });
  expect(JSON.stringify(shown)).not.toContain('secret-1');
});

it('exposes no internal id', () => {
  expect(JSON.stringify(toWireShipment({ ...shipment, journey: fullJourney }))).not.toContain(uuid);
});

it('a page matches the published schema, with and without counts', () => {
  const page = {
    shipments: [shipment],
    limit: 25,
    hasMore: true,
    nextCursor: 'abc',
    total: null,
    totalIsLowerBound: false,
    countsByStatus: null,
    unknownTerms: null,
    asOf: at,
    suggestions: [],
  };
  const whole = { fields: null, include: [] };
  expect(wireShipmentList.parse(toWireShipmentList(page, whole)).page).toEqual({
    limit: 25,
    has_more: true,
    next_cursor: 'abc',
    total: null,
    total_is_lower_bound: false,
  });
  const counted = toWireShipmentList({ ...page, total: 1, countsByStatus: { pending: 1 } }, whole);
  expect(wireShipmentList.parse(counted).counts_by_status).toEqual({ pending: 1 });
});

it('reads back a public id', () => {
  expect(readShipmentId(`shp_${publicSuffix}`)).toBe(uuid);
  expect(readShipmentId(uuid)).toBeNull();
});
