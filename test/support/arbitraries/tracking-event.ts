import fc from 'fast-check';
import {
  allClassifiers,
  allLegRoles,
  type EventDetails,
  eventCodes,
  type Place,
  type TrackingEvent,
} from '#shared/domain/events/event.ts';
import { statusDetails } from '#shared/domain/events/status-details.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';

const text = fc.oneof(
  fc.constantFrom(
    '',
    'null',
    ' ',
    '|',
    'a|1',
    "o'clock",
    '\u0000',
    '\ud800x',
    'Zürich',
    '東京😀',
    '\\u0000',
    '2026-04-15T08:00',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 40 }),
);
const maybe = fc.option(text);
const instant = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
/** As a carrier may have written it. */
const anyInstant = fc.oneof(
  { weight: 5, arbitrary: instant },
  instant.map((iso) => iso.replace(/\.\d+Z$/, 'Z')),
  instant.map((iso) => iso.replace('Z', '+00:00')),
);

const place: fc.Arbitrary<Place> = fc.record({
  name: maybe,
  unlocode: maybe,
  iata: maybe,
  country: maybe,
  lat: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  lng: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  timezone: fc.option(fc.constantFrom('Europe/Rotterdam', 'Asia/Shanghai', '')),
  facility: maybe,
});

const lengths = { date: 10, minute: 16, second: 19 } as const;

const time: fc.Arbitrary<TrackingEvent['time']> = fc
  .record({
    at: anyInstant,
    offset: fc.constantFrom(0, 0, 60, 480, -420, 345, -1, 900, 0.5),
    timezone: fc.option(fc.constantFrom('Europe/Rotterdam', 'Asia/Shanghai', '')),
    zoneSource: fc.constantFrom('carrier', 'location', 'assumed_utc'),
    precision: fc.constantFrom('date', 'minute', 'second'),
    stray: fc.option(text, { freq: 10 }),
  })
  .map(({ offset, stray, ...rest }) => {
    const local = new Date(Date.parse(rest.at) + offset * 60_000).toISOString().slice(0, lengths[rest.precision]);
    return { ...rest, local: stray ?? local };
  });

const anyDetails: fc.Arbitrary<EventDetails> = fc.record(
  {
    piece: text,
    statusDetail: fc.constantFrom(...statusDetails),
    window: fc.record({ from: fc.option(time), to: fc.option(time) }),
    piecesCount: fc.nat(),
    weightKg: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((weight) => weight + 0),
    uld: text,
  },
  { requiredKeys: [] },
);

/** Any event that could be stored, with any combination of what is unknown. */
export const trackingEvent: fc.Arbitrary<TrackingEvent> = fc
  .record({
    id: fc.uuid({ version: 7 }),
    dedupeKey: text,
    receivedAt: anyInstant,
    supersededBy: fc.option(fc.uuid({ version: 7 })),
    voidedAt: fc.option(instant),
    code: fc.constantFrom(...eventCodes),
    classifier: fc.constantFrom(...allClassifiers),
    legRole: fc.constantFrom(...allLegRoles),
    time,
    location: fc.option(place),
    container: maybe,
    isoType: maybe,
    mode: fc.option(fc.constantFrom(...transportModes)),
    vehicle: fc.option(fc.record({ name: maybe, imo: maybe, voyage: maybe, flight: maybe })),
    empty: fc.option(fc.boolean()),
    seals: fc.array(text, { maxLength: 3 }),
    delayReason: maybe,
    document: maybe,
    description: maybe,
    carrierCode: maybe,
    carrierDescription: maybe,
    sourceEventId: maybe,
    sourceCreatedAt: fc.option(anyInstant),
    source: fc.constantFrom('carrier', 'client', 'test'),
    details: fc.option(anyDetails),
  })
  .map(({ details, ...event }) => ({ ...event, ...(details && { details }) }) as TrackingEvent);
