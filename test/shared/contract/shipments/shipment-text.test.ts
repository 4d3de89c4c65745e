import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { toJourneyText, toWireShipment, toWireShipmentText } from '#shared/contract/record/shipment-wire.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { freshnesses, type Shipment, trackingStates } from '#shared/domain/record/shipment.ts';
import { unpackText } from '#shared/store/packing/pack-text.ts';
import { packJourney, unpackJourney } from '#shared/store/packing/packed-journey.ts';
import { runs } from '#test/support/run-scale.ts';
import { anyEvents, laterMs, nowMs } from '../../domain/journey/event-sets.ts';

const uuids = fc.uuid();
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
/** Parsers refuse a key `__proto__`. */
const keys = text.filter((key) => key !== '__proto__');
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });
const instant = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const events = fc.tuple(anyEvents, uuids, uuids, text).map(([sketches, id, other, name]) =>
  sketches.map((event, place) => ({
    ...event,
    id: id.slice(0, -4) + String(1000 + place),
    supersededBy: event.supersededBy === null ? null : other,
    description: name,
    location: event.location === null ? null : { ...event.location, name },
  })),
);

const shipments: fc.Arbitrary<Shipment> = fc
  .record({
    id: uuids,
    accountId: uuids,
    test: fc.boolean(),
    identifiers: fc.record({ mbl: text, booking: text, container: text, hbl: text }, { requiredKeys: [] }),
    reference: maybe(text),
    tags: fc.array(text, { maxLength: 3 }),
    metadata: fc.dictionary(keys, text, { maxKeys: 3 }),
    destinationPostalCode: maybe(text),
    statusChangedAt: maybe(instant),
    overdueHours: maybe(fc.nat()),
    late: fc.boolean(),
    tracking: fc.record({
      mode: fc.constantFrom('polled' as const, 'pushed' as const),
      staleAfterHours: maybe(fc.nat()),
      state: fc.constantFrom(...trackingStates),
      reason: fc.constantFrom(null, 'carrier_unreachable' as const),
      freshness: fc.constantFrom(...freshnesses),
      source: maybe(text),
      lastRefreshedAt: maybe(instant),
      lastSucceededAt: maybe(instant),
      lastChangedAt: maybe(instant),
      nextRefreshAt: maybe(instant),
      consecutiveFailures: fc.nat(),
      traceId: maybe(fc.constant('f'.repeat(32))),
      traceKept: fc.boolean(),
    }),
    warnings: fc.array(
      fc.record({ code: fc.constant('check_digit_mismatch'), field: text, detail: text, expected: maybe(text) }),
      {
        maxLength: 2,
      },
    ),
    createdAt: instant,
    updatedAt: instant,
    needsAttention: fc.boolean(),
    currentPosition: maybe(
      fc.constant({ lat: 52, lng: 4, at: '2026-04-15T08:00:00.000Z', source: 'positions', vehicle: null }),
    ),
    archivedAt: maybe(instant),
    version: fc.integer({ min: 1 }),
    events,
    atMs: fc.constantFrom(nowMs, laterMs),
  })
  .map(({ events: reported, atMs, ...rest }) => ({
    ...rest,
    transportMode: 'ocean',
    serviceType: null,
    carrier: 'MAEU',
    carrierName: 'Maersk',
    journey: composeJourney({ events: reported, transportMode: 'ocean' }, atMs),
  })) as fc.Arbitrary<Shipment>;

test('the text composed from the stored journey equals the mapped shipment byte for byte and matches the contract', () => {
  fc.assert(
    fc.property(shipments, (shipment) => {
      const { journey, ...columns } = shipment;
      const expected = JSON.stringify(toWireShipment(shipment));
      const stored = { ...columns, status: journey.status };
      expect(toWireShipmentText({ ...stored, journey: toJourneyText(journey).text })).toBe(expected);
      expect(toWireShipmentText({ ...stored, journey })).toBe(expected);
      expect(wireShipment.parse(JSON.parse(expected))).toEqual(JSON.parse(expected));
    }),
    { numRuns: runs(150) },
  );
});

test('a journey is packed without losing anything that clients are shown', () => {
  fc.assert(
    fc.property(shipments, ({ journey }) => {
      const text = toJourneyText(journey);
      const { record, packedJourney } = packJourney(journey, text);
      expect(record).not.toHaveProperty('events');
      expect(packedJourney && unpackText(packedJourney)).toBe(text.text);
      const stored = JSON.parse(JSON.stringify(record));
      expect(toJourneyText(unpackJourney(stored, packedJourney))).toEqual(text);
    }),
    { numRuns: runs(150) },
  );
});
