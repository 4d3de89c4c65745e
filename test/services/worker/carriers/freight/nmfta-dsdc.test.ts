import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nmftaDsdc } from '#services/worker/carriers/nmfta-dsdc/nmfta-dsdc.ts';
import { runs } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';
import { fetchOnce, freightSubject, scriptedCarrier } from './simulated-carrier.ts';

const pro = freightSubject('road', { pro: '012-345678' });
const dallas = {
  name: 'Dallas Plant',
  type: 'FACILITY',
  city: 'Dallas',
  state: 'TX',
  postalCode: '75201',
  country: 'USA',
  latitude: 32.78,
  longitude: -96.8,
};
const atlanta = {
  name: 'Atlanta Store',
  type: 'FACILITY',
  city: 'Atlanta',
  state: 'GA',
  country: 'USA',
  latitude: 33.75,
  longitude: -84.39,
};

function event(type: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    eventId: 'b0c1',
    type,
    occurredAt: '2026-04-01T10:00:00-05:00',
    reportedAt: '2026-04-01T15:02:00Z',
    sequence: 3,
    location: dallas,
    shipment: { shipmentId: '012345678', mode: 'LTL', scac: 'EXLA', origin: dallas, destination: atlanta },
    ...changes,
  };
}

function page(data: unknown, changes: Record<string, unknown> = {}): { text: string } {
  return { text: JSON.stringify({ data, page: 1, pageSize: 500, totalPages: 1, totalCount: 1, ...changes }) };
}

async function read(data: unknown[]) {
  const { context, asked } = scriptedCarrier([page(data)]);
  const refresh = await fetchOnce(nmftaDsdc, context, pro);
  if (refresh.outcome !== 'found') throw new Error(JSON.stringify(refresh));
  return { ...refresh.reading, asked };
}

it('requests the events of a PRO number', async () => {
  const { asked, source } = await read([event('PICKED_UP')]);
  expect(source).toBe('nmfta-dsdc');
  expect(asked).toMatchObject([
    {
      url: 'https://carrier.example/v1/events?shipmentId=012-345678&page=1&pageSize=500&order=asc',
      headers: { 'x-api-key': 'key' },
    },
  ]);
});

it('states no coordinates of a city that is only named', async () => {
  const { latitude: _, longitude: __, ...unlocated } = dallas;
  const { events } = await read([event('PICKED_UP', { location: unlocated })]);
  expect(events[0]?.location).toMatchObject({ name: 'Dallas, TX', lat: null, lng: null });
});

it('authenticates with an account’s API key alone, even if the instance has a token address for other accounts', async () => {
  const { context, asked } = scriptedCarrier([page([event('PICKED_UP')])], {
    authUrl: 'https://carrier.example/token',
  });
  expect(await fetchOnce(nmftaDsdc, context, pro)).toMatchObject({ outcome: 'found' });
  expect(asked).toMatchObject([{ method: 'GET', headers: { 'x-api-key': 'key' } }]);
});

it.each([
  ['PICKUP_SCHEDULED', 'information_received', 'road'],
  ['PICKUP_ATTEMPTED', 'exception', 'road'],
  ['PICKED_UP', 'picked_up', 'road'],
  ['ARRIVED_AT_TERMINAL', 'arrived_at_facility', 'road'],
  ['DEPARTED_TERMINAL', 'departed_facility', 'road'],
  ['IN_TRANSIT', 'in_transit', 'road'],
  ['DELAY', 'delayed', 'road'],
  ['EXCEPTION', 'exception', 'road'],
  ['CUSTOMS_HOLD', 'customs_hold', 'road'],
  ['CUSTOMS_CLEARED', 'customs_released', 'road'],
  ['OUT_FOR_DELIVERY', 'out_for_delivery', 'road'],
  ['DELIVERY_ATTEMPTED', 'delivery_attempted', 'road'],
  ['DELIVERED', 'delivered', 'road'],
  ['PROOF_OF_DELIVERY', 'delivered', 'road'],
  ['CANCELLED', 'cancelled', 'road'],
  ['GATE_IN', 'gate_in_full', 'road'],
  ['GATE_OUT', 'gate_out_full', 'road'],
  ['VESSEL_LOADED', 'loaded', 'ocean'],
  ['VESSEL_UNLOADED', 'discharged', 'ocean'],
  ['RAIL_ARRIVAL', 'rail_arrived', 'rail'],
  ['RAIL_DEPARTURE', 'rail_departed', 'rail'],
  ['AIR_DEPARTURE', 'departed', 'air'],
  ['AIR_ARRIVAL', 'arrived', 'air'],
  ['OTHER', 'other', 'road'],
  ['TELEPORTED', 'other', null],
])('%s means %s (%s)', async (type, code, mode) => {
  expect((await read([event(type)])).events).toMatchObject([{ code, mode, carrierCode: type, classifier: 'actual' }]);
});

it('keeps an event’s place, texts and times', async () => {
  const { events } = await read([
    event('DELAY', { notes: 'Severe weather', status: 'W1', attributes: { reasonCode: 'WEA' } }),
  ]);
  expect(events).toMatchObject([
    {
      location: {
        name: 'Dallas, TX',
        country: 'US',
        facility: 'Dallas Plant',
        timezone: 'America/Chicago',
        lat: 32.78,
      },
      time: { at: '2026-04-01T15:00:00.000Z', local: '2026-04-01T10:00:00', zoneSource: 'carrier' },
      legRole: 'origin',
      carrierDescription: 'Severe weather: W1',
      delayReason: 'WEA',
      sourceEventId: 'b0c1',
      sourceCreatedAt: '2026-04-01T15:02:00.000Z',
    },
  ]);
});

it('reads a time without offset as local at its place, and accepts two-letter countries', async () => {
  const { events } = await read([
    event('PICKED_UP', { occurredAt: '2026-04-01T10:00:00', location: { ...dallas, country: 'us' } }),
  ]);
  expect(events).toMatchObject([
    { time: { at: '2026-04-01T15:00:00.000Z', zoneSource: 'location' }, location: { country: 'US' } },
  ]);
});

describe('additions of carriers to the standard', () => {
  const appointment = (start: unknown, end: unknown) =>
    event('OUT_FOR_DELIVERY', { attributes: { appointmentDetails: { delivery: { start, end } } } });
  const expected = async (data: unknown[]) => {
    const { events, unreadable } = await read(data);
    const estimate = events.find(({ classifier }) => classifier === 'estimated');
    return { estimate, unreadable, events };
  };

  it('reads a delivery appointment as the window of the expected delivery', async () => {
    const { estimate } = await expected([appointment('2026-04-03T09:00:00-04:00', '2026-04-03T13:00:00-04:00')]);
    expect(estimate).toMatchObject({
      code: 'delivered',
      legRole: 'destination',
      time: { at: '2026-04-03T17:00:00.000Z' },
      details: { window: { from: { at: '2026-04-03T13:00:00.000Z' }, to: { at: '2026-04-03T17:00:00.000Z' } } },
    });
  });

  it('sets aside a window that ends before it begins, and keeps its start', async () => {
    const { estimate, unreadable } = await expected([appointment('2026-04-03T13:00:00Z', '2026-04-03T09:00:00Z')]);
    expect(unreadable).toMatchObject([{ reason: 'the window ends before it begins' }]);
    expect(estimate).toMatchObject({ time: { at: '2026-04-03T13:00:00.000Z' } });
    expect(estimate?.details).toBeUndefined();
  });

  it.each([
    ['an object', { a: 1 }],
    ['a list', [1]],
    ['words', 'tomorrow'],
    ['a negative number', -1],
  ])('derives no expected event from an appointment that is %s', async (_name, value) => {
    const { estimate, unreadable, events } = await expected([appointment(value, value)]);
    expect(estimate).toBeUndefined();
    expect(unreadable).toEqual([]);
    expect(events).toMatchObject([{ code: 'out_for_delivery' }]);
  });

  it.each([
    ['negative pieces', { pieces: -1 }, 'pieces is out of range'],
    ['too many pieces', { pieces: 1e9 }, 'pieces is out of range'],
    ['pieces as an object', { pieces: { count: 4 } }, 'pieces is not a number'],
    ['a negative weight', { weight: -1, weightUnit: 'KG' }, 'the weight is negative'],
    ['a weight without a unit', { grossWeight: 1200 }, 'the weight has no unit'],
    ['an ambiguous weight', { weight: '1,200 LB' }, 'the weight is ambiguous'],
  ])('sets aside %s and keeps the event', async (_name, attributes, reason) => {
    const { events, unreadable, facts } = await read([event('PICKED_UP', { attributes })]);
    expect(unreadable).toMatchObject([{ reason }]);
    expect(events).toMatchObject([{ code: 'picked_up' }]);
    expect(events[0]?.details).toBeUndefined();
    expect(facts).toBeUndefined();
  });

  it.each([
    ['a decimal comma with a unit', { pieces: '3', weight: '12,5 KGM' }, { piecesCount: 3, weightKg: 12.5 }],
    ['pounds', { pieces: 0, grossWeight: 100, weightUnit: 'Pounds' }, { weightKg: 45.359 }],
  ])('reads %s', async (_name, attributes, measures) => {
    const { events, facts } = await read([event('PICKED_UP', { attributes })]);
    expect(events[0]?.details).toEqual(measures);
    expect(facts).toEqual(measures);
  });

  it.each([
    ['DELIVERY_ATTEMPTED', 'Consignee closed', 'business_closed'],
    ['DELIVERY_ATTEMPTED', 'Freight refused by consignee', 'refused'],
    ['DELAY', 'Severe weather', 'weather'],
    ['DELAY', 'Mechanical breakdown', 'vehicle_breakdown'],
    ['EXCEPTION', 'Pallet damaged', 'damaged'],
    ['EXCEPTION', 'Shortage: 2 cartons', 'missing_pieces'],
    ['CUSTOMS_HOLD', 'Customs documents missing', 'customs_documents_needed'],
    ['EXCEPTION', 'Something else', undefined],
    ['IN_TRANSIT', 'Passing through weather', undefined],
  ])('explains %s "%s" as %s', async (type, notes, detail) => {
    expect((await read([event(type, { notes })])).events[0]?.details?.statusDetail).toBe(detail);
  });

  it('stores the address of each proof of delivery once, and no other address', async () => {
    const url = 'https://documents.example/pod.pdf';
    const documents = [
      { type: 'POD', url },
      { type: 'pod', url },
      { type: 'BOL', url: 'https://documents.example/bol.pdf' },
      { type: 'POD', url: 'javascript:alert(1)' },
      { type: 'POD', url: `https://documents.example/${'x'.repeat(2000)}` },
      { type: 'POD', url: { a: 1 } },
      { type: 'POD' },
      'POD',
    ];
    expect((await read([event('PROOF_OF_DELIVERY', { documents })])).facts).toEqual({
      proof: [{ kind: 'document', handle: url, piece: null, unavailable: true }],
    });
  });

  it('fetches a proof at the API’s own address with its key, and at no other', async () => {
    const proofAt = (handle: string) => ({
      proof: { kind: 'document', handle, piece: null } as const,
      identifiers: { pro: '012345678' },
      transportMode: 'road' as const,
    });
    const fetched = async (handle: string) => {
      const bytes = new TextEncoder().encode('%PDF-1.4');
      const { context, asked } = scriptedCarrier([{ bytes }]);
      const document = nmftaDsdc.fetchProof?.(context, proofAt(handle), AbortSignal.timeout(patienceMs));
      return { document, asked };
    };
    const own = await fetched('https://carrier.example/v1/documents/1');
    expect(Buffer.from((await own.document) ?? []).toString()).toBe('%PDF-1.4');
    expect(own.asked).toMatchObject([
      { url: 'https://carrier.example/v1/documents/1', headers: { 'x-api-key': 'key' } },
    ]);
    const other = await fetched('https://documents.example/pod.pdf');
    await expect(other.document).rejects.toMatchObject({ reason: 'not_found' });
    expect(other.asked).toEqual([]);
  });
});

it('counts the proof as the delivery only when no delivery is reported', async () => {
  const proof = event('PROOF_OF_DELIVERY', { occurredAt: '2026-04-03T12:00:00Z', location: atlanta });
  expect((await read([event('DELIVERED', { location: atlanta }), proof])).events.map(({ code }) => code)).toEqual([
    'delivered',
    'other',
  ]);
  expect((await read([proof])).events.map(({ code }) => code)).toEqual(['delivered']);
});

it('uses the plan of the last event', async () => {
  const planned = (sequence: number, endDate: string) =>
    event('IN_TRANSIT', {
      sequence,
      occurredAt: `2026-04-01T1${sequence}:00:00Z`,
      shipment: { ...(event('X').shipment as object), startDate: '2026-04-01T08:00:00Z', endDate },
    });
  const { events } = await read([planned(4, '2026-04-05T00:00:00Z'), planned(3, '2026-04-04T00:00:00Z')]);
  expect(events.filter(({ classifier }) => classifier === 'planned')).toMatchObject([
    {
      code: 'picked_up',
      legRole: 'origin',
      location: { name: 'Dallas, TX' },
      time: { at: '2026-04-01T08:00:00.000Z' },
    },
    {
      code: 'delivered',
      legRole: 'destination',
      location: { name: 'Atlanta, GA' },
      time: { at: '2026-04-05T00:00:00.000Z' },
    },
  ]);
});

it.each([
  ['no object', 'PICKED_UP', 'the event is not an object'],
  ['no type', event('PICKED_UP', { type: '' }), 'type is missing'],
  ['no time', event('PICKED_UP', { occurredAt: null }), 'occurredAt is missing'],
  ['a bad time', event('PICKED_UP', { occurredAt: '31 April' }), 'occurredAt is not a time'],
])('rejects an event with %s individually', async (_name, bad, reason) => {
  const { events, unreadable } = await read([bad, event('PICKED_UP')]);
  expect(unreadable).toEqual([{ raw: bad, reason }]);
  expect(events).toHaveLength(1);
});

it('ignores events of other shipments but keeps those that reference the number', async () => {
  const of = (shipmentId: string, references: object[] = []) =>
    event('PICKED_UP', { eventId: shipmentId, shipment: { shipmentId, references } });
  const { events } = await read([
    of('999'),
    of('CANON-1', [{ type: 'PRO', value: '012345678' }]),
    event('PICKED_UP', { eventId: 'none', shipment: null }),
  ]);
  expect(events.map(({ sourceEventId }) => sourceEventId)).toEqual(['CANON-1', 'none']);
});

describe('pages', () => {
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      event('IN_TRANSIT', { sequence: from + index, eventId: `${from + index}` }),
    );

  it('are read to the last one', async () => {
    const { context, asked } = scriptedCarrier([
      page(many(0, 500), { totalPages: 2 }),
      page(many(500, 3), { page: 2, totalPages: 2 }),
    ]);
    const refresh = await fetchOnce(nmftaDsdc, context, pro);
    expect(refresh.outcome === 'found' && refresh.reading.events).toHaveLength(503);
    expect(asked.map(({ url }) => new URL(url).searchParams.get('page'))).toEqual(['1', '2']);
  });

  it('without a total end with a page that is not full, by the page size of the server', async () => {
    const { context, asked } = scriptedCarrier([
      page(many(0, 100), { pageSize: 100, totalPages: null }),
      page(many(100, 20), { pageSize: 100, totalPages: null }),
    ]);
    await fetchOnce(nmftaDsdc, context, pro);
    expect(asked).toHaveLength(2);
  });

  it('without an end are limited', async () => {
    const { context, asked } = scriptedCarrier([page(many(0, 1), { totalPages: 1_000_000 })]);
    await fetchOnce(nmftaDsdc, context, pro);
    expect(asked).toHaveLength(20);
  });
});

describe('other responses', () => {
  it('queries the bill of lading when the PRO number is unknown', async () => {
    const { context, asked } = scriptedCarrier([
      page([]),
      page([event('PICKED_UP', { shipment: { shipmentId: 'BOL7' } })]),
    ]);
    expect(await fetchOnce(nmftaDsdc, context, freightSubject('road', { pro: '1', bol: 'BOL7' }))).toMatchObject({
      outcome: 'found',
    });
    expect(asked.map(({ url }) => new URL(url).searchParams.get('shipmentId'))).toEqual(['1', 'BOL7']);
  });

  it('never queries by equipment alone', async () => {
    expect(
      await fetchOnce(nmftaDsdc, scriptedCarrier([]).context, freightSubject('road', { equipment: 'T1' })),
    ).toMatchObject({
      reason: 'wrong_identifier_type',
      permanent: true,
    });
  });

  const problem = (status: number) => ({
    status,
    text: JSON.stringify({ type: 'about:blank', title: 'Nope', status, detail: 'the key has expired' }),
  });
  it.each([
    ['an empty page', page([]), { outcome: 'not_found' }],
    ['404', { status: 404 }, { outcome: 'not_found', httpStatus: 404 }],
    ['400', problem(400), { reason: 'invalid_identifier' }],
    [
      '401',
      problem(401),
      { reason: 'carrier_auth_failed', detail: 'the carrier refused access (401): the key has expired' },
    ],
    [
      '429',
      { status: 429, headers: new Headers({ 'retry-after': '9' }) },
      { reason: 'carrier_rate_limited', retryAfterMs: 9000 },
    ],
    ['503', problem(503), { reason: 'carrier_unreachable' }],
    ['a list', { text: '[]' }, { reason: 'unrecognized_response' }],
    ['no data', { text: '{"page":1}' }, { reason: 'unrecognized_response' }],
    ['HTML with 200', { text: '<html></html>' }, { reason: 'unrecognized_response' }],
    ['nothing with 200', { text: '' }, { reason: 'unrecognized_response' }],
  ])('%s', async (_name, answer, expected) => {
    expect(await fetchOnce(nmftaDsdc, scriptedCarrier([answer]).context, pro)).toMatchObject(expected);
  });

  it('returns a reading or a named error for any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (one, other) => {
        const data = [
          one,
          event('DELAY', { location: one, attributes: other, sequence: other }),
          { ...event('X'), shipment: { shipmentId: '012345678', origin: one, destination: other, endDate: other } },
        ];
        for (const body of [one, { data: one }, { data, totalPages: other, pageSize: one }]) {
          const refresh = await fetchOnce(nmftaDsdc, scriptedCarrier([{ text: JSON.stringify(body) }]).context, pro);
          expect(refresh.outcome === 'error' ? refresh.reason : null).not.toBe('internal_error');
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
