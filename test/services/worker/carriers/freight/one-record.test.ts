import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneRecord } from '#services/worker/carriers/one-record/one-record.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { runs } from '#test/support/run-scale.ts';
import { fetchOnce, freightSubject, scriptedCarrier } from './simulated-carrier.ts';

const awb = freightSubject('air', { awb: '157-12345675' });
const codes = 'https://onerecord.iata.org/ns/code-lists/StatusCode#';

/** A LogisticsEvent as documented. `changes` overrides fields. */
function event(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    '@id': 'https://carrier.example/logistics-objects/waybill-157-12345675/logistics-events/1',
    '@type': 'cargo:LogisticsEvent',
    'cargo:creationDate': {
      '@type': 'http://www.w3.org/2001/XMLSchema#dateTime',
      '@value': '2026-04-01T10:38:01.000Z',
    },
    'cargo:eventDate': { '@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': '2026-04-01T10:30:00.000Z' },
    'cargo:eventCode': { '@id': `${codes}DEP` },
    'cargo:eventName': 'Departed on flight QR8160',
    'cargo:eventTimeType': { '@id': 'cargo:ACTUAL', '@type': 'cargo:EventTimeType' },
    'cargo:partialEventIndicator': false,
    'cargo:eventFor': { '@type': 'cargo:Shipment', '@id': 'https://carrier.example/logistics-objects/s' },
    'cargo:eventLocation': location('DOH'),
    ...changes,
  };
}

function location(code: string): Record<string, unknown> {
  return {
    '@type': 'cargo:Location',
    'cargo:locationCodes': [{ '@type': 'cargo:CodeListElement', 'cargo:code': code }],
  };
}

function collection(items: unknown, total = Array.isArray(items) ? items.length : 1): { text: string } {
  return { text: JSON.stringify({ '@type': 'api:Collection', 'api:hasTotalItems': total, 'api:hasItem': items }) };
}

const waybill = {
  text: JSON.stringify({ 'cargo:departureLocation': location('BOM'), 'cargo:arrivalLocation': location('LHR') }),
};

async function read(items: unknown, ...more: { text?: string; status?: number }[]) {
  const { context, asked } = scriptedCarrier([collection(items), ...(more.length > 0 ? more : [{ status: 404 }])]);
  const refresh = await fetchOnce(oneRecord, context, awb);
  if (refresh.outcome !== 'found') throw new Error(JSON.stringify(refresh));
  return { ...refresh.reading, asked };
}

it('requests the events of the waybill at a guessed address, which a base URL with {number} replaces', async () => {
  const { asked } = await read([event()]);
  expect(asked[0]).toMatchObject({
    method: 'GET',
    url: 'https://carrier.example/logistics-objects/waybill-157-12345675/logistics-events?limit=100&skip=0',
    headers: { accept: 'application/ld+json; version=2.3.0' },
  });
  const own = scriptedCarrier([collection([event()])], {
    baseUrl: 'https://carrier.example/los/awb-{prefix}-{number}',
  });
  await fetchOnce(oneRecord, own.context, awb);
  expect(own.asked[0]?.url).toBe('https://carrier.example/los/awb-157-12345675/logistics-events?limit=100&skip=0');
});

it('reads an event of the documentation', async () => {
  const { events, unreadable, source } = await read([event()]);
  expect(source).toBe('one-record');
  expect(unreadable).toEqual([]);
  expect(events).toMatchObject([
    {
      code: 'departed',
      classifier: 'actual',
      mode: 'air',
      carrierCode: 'DEP',
      carrierDescription: 'Departed on flight QR8160',
      sourceCreatedAt: '2026-04-01T10:38:01.000Z',
      time: { at: '2026-04-01T10:30:00.000Z', local: '2026-04-01T13:30:00', timezone: 'Asia/Qatar' },
      location: { iata: 'DOH', unlocode: 'QADOH', country: 'QA', name: 'Doha' },
      vehicle: { flight: 'QR8160', voyage: null },
    },
  ]);
});

it.each([
  ['BKD', 'booking_confirmed'],
  ['DOC', 'document_issued'],
  ['AWR', 'document_issued'],
  ['DPU', 'picked_up'],
  ['FOH', 'received_from_shipper'],
  ['FIW', 'arrived_at_facility'],
  ['RCS', 'received_from_shipper'],
  ['PRE', 'manifested'],
  ['MAN', 'manifested'],
  ['DEP', 'departed'],
  ['ARR', 'arrived'],
  ['RCF', 'received_from_flight'],
  ['RCT', 'in_transit'],
  ['TFD', 'in_transit'],
  ['TRM', 'in_transit'],
  ['CRC', 'customs_inspection'],
  ['TGC', 'customs_hold'],
  ['CCD', 'customs_released'],
  ['NFD', 'consignee_notified'],
  ['AWD', 'documents_delivered'],
  ['FOW', 'departed_facility'],
  ['DLV', 'delivered'],
  ['DDL', 'delivered'],
  ['DIS_OFLD', 'exception'],
  ['DIS_SSPD', 'exception'],
  ['DIS_OVCD', 'exception'],
  ['DIS_MSCA', 'exception'],
  ['DIS_MSMB', 'exception'],
  ['DIS_MSAW', 'exception'],
  ['DIS_MSAV', 'exception'],
  ['DIS_FDCA', 'other'],
  ['DIS_FDMB', 'other'],
  ['DIS_FDAW', 'other'],
  ['DIS_FDAV', 'other'],
  ['DIS_DFLD', 'other'],
  ['OCI', 'other'],
  ['OSI', 'other'],
  ['XYZ', 'other'],
])('%s means %s', async (code, meaning) => {
  const { events } = await read([event({ 'cargo:eventCode': { '@id': `${codes}${code}` } })]);
  expect(events).toMatchObject([{ code: meaning, carrierCode: code }]);
});

describe('equivalent serializations', () => {
  const same = {
    code: 'departed',
    classifier: 'actual',
    time: { at: '2026-04-01T10:30:00.000Z' },
    location: { iata: 'DOH' },
    vehicle: { flight: 'QR8160' },
  };
  const iri = (fields: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [
        key.replace(/^cargo:/, 'https://onerecord.iata.org/ns/cargo#'),
        value,
      ]),
    );

  it.each([
    ['a single event instead of a list', event()],
    [
      'bare keys',
      [Object.fromEntries(Object.entries(event()).map(([key, value]) => [key.replace('cargo:', ''), value]))],
    ],
    ['whole IRIs as keys', [iri(event())]],
    ['lists of one', [Object.fromEntries(Object.entries(event()).map(([key, value]) => [key, [value]]))]],
    ['a time type as text', [event({ 'cargo:eventTimeType': 'Actual' })]],
    ['a code as text', [event({ 'cargo:eventCode': 'DEP' })]],
    ['a code list element', [event({ 'cargo:eventCode': { '@type': 'cargo:CodeListElement', 'cargo:code': 'DEP' } })]],
    ['plain times', [event({ 'cargo:eventDate': '2026-04-01T10:30:00Z' })]],
    ['a local time without offset', [event({ 'cargo:eventDate': '2026-04-01 13:30:00' })]],
    [
      'a location code in another case',
      [event({ 'cargo:eventLocation': { 'cargo:locationCodes': { 'cargo:Code': 'doh' } } })],
    ],
    [
      'the flight in the transport movement',
      [
        event({
          'cargo:eventName': 'Departed',
          'cargo:eventFor': { '@type': 'cargo:TransportMovement', 'cargo:transportIdentifier': 'QR 8160' },
        }),
      ],
    ],
    [
      'the older linkedObject',
      [
        event({
          'cargo:eventName': '',
          'cargo:eventFor': null,
          'cargo:linkedObject': { 'cargo:transportIdentifier': 'QR8160' },
        }),
      ],
    ],
    ['no time type, reported afterwards', [event({ 'cargo:eventTimeType': null })]],
  ])('%s', async (_name, items) => {
    const { events, unreadable } = await read(items);
    expect(unreadable).toEqual([]);
    expect(events).toMatchObject([same]);
  });

  it('resolves a place by its address on the same server only', async () => {
    const at = (id: string) => event({ 'cargo:eventLocation': { '@type': 'cargo:Location', '@id': id } });
    const own = await read(
      [at('https://carrier.example/logistics-objects/doh')],
      { text: JSON.stringify(location('DOH')) },
      waybill,
    );
    expect(own.events).toMatchObject([{ location: { iata: 'DOH' }, legRole: 'transshipment' }]);
    const foreign = await read([at('https://elsewhere.example/doh')], waybill);
    expect(foreign.events).toMatchObject([{ location: null }]);
    expect(foreign.asked.map(({ url }) => new URL(url).host)).not.toContain('elsewhere.example');
  });
});

it.each([
  ['PLANNED', 'planned'],
  ['REQUESTED', 'planned'],
  ['SCHEDULED', 'planned'],
  ['ESTIMATED', 'estimated'],
  ['EXPECTED', 'estimated'],
])('maps %s to %s', async (type, classifier) => {
  expect((await read([event({ 'cargo:eventTimeType': type })])).events).toMatchObject([{ classifier }]);
});

it.each([
  ['no code', { 'cargo:eventCode': null }, 'eventCode is missing'],
  ['no date', { 'cargo:eventDate': null }, 'eventDate is missing'],
  ['no time', { 'cargo:eventDate': 'yesterday' }, 'eventDate is not a time'],
  ['an unknown time type', { 'cargo:eventTimeType': 'cargo:GUESSED' }, 'eventTimeType cargo:GUESSED is unknown'],
  [
    'no time type for what lies ahead',
    { 'cargo:eventTimeType': null, 'cargo:eventDate': '2026-05-01T00:00:00Z' },
    'eventTimeType is missing',
  ],
])('rejects an event with %s individually', async (_name, changes, reason) => {
  const { events, unreadable } = await read([event(changes), event()]);
  expect(unreadable).toMatchObject([{ reason }]);
  expect(events).toHaveLength(1);
});

it('reads from the waybill that the hub is not the destination', async () => {
  const at = (code: string) => event({ 'cargo:eventCode': 'RCF', 'cargo:eventLocation': location(code) });
  const roles = async (...more: { text?: string; status?: number }[]) =>
    (await read([at('BOM'), at('DOH'), at('LHR')], ...more)).events.map(({ legRole }) => legRole);
  expect(await roles(waybill)).toEqual(['pol', 'transshipment', 'pod']);
  expect(await roles({ status: 404 })).toEqual(['unknown', 'unknown', 'unknown']);
});

it('fails a refresh after a transient failure of a linked object, because the reading would be incomplete', async () => {
  const { context } = scriptedCarrier([collection([event()]), { status: 503 }]);
  expect(await fetchOnce(oneRecord, context, awb)).toMatchObject({
    outcome: 'error',
    reason: 'carrier_unreachable',
    httpStatus: 503,
  });
});

it('does not deliver a shipment when part of the cargo arrives', async () => {
  const { events } = await read([
    event({ 'cargo:eventCode': 'DLV', 'cargo:partialEventIndicator': true }),
    event({ 'cargo:eventCode': 'ARR', 'cargo:partialEventIndicator': true }),
  ]);
  expect(events).toMatchObject([
    { code: 'other', carrierCode: 'DLV', description: 'Part of the shipment' },
    { code: 'arrived', description: 'Part of the shipment' },
  ]);
});

describe('pieces and weight', () => {
  const kilograms = (value: unknown, unit: unknown = { '@id': 'https://onerecord.iata.org/ns/code-lists/X#KGM' }) => ({
    '@type': 'cargo:Value',
    'cargo:numericalValue': value,
    'cargo:unit': unit,
  });
  const withShipment = (shipment: unknown) => ({
    text: JSON.stringify({
      'cargo:departureLocation': location('BOM'),
      'cargo:arrivalLocation': location('LHR'),
      'cargo:shipment': shipment,
    }),
  });
  const shipmentLink = { '@id': 'https://carrier.example/logistics-objects/s' };

  it('reads the pieces and weight of an event, in the unit that it names', async () => {
    const { events } = await read([
      event({ 'cargo:recordedPieceCount': 4, 'cargo:recordedWeight': kilograms(44, 'LBR') }),
      event({ 'cargo:recordedPieceCount': [{ '@value': '3' }], 'cargo:recordedWeight': kilograms('12,5 KGM', null) }),
    ]);
    expect(events.map(({ details }) => details)).toEqual([
      { piecesCount: 4, weightKg: 19.958 },
      { piecesCount: 3, weightKg: 12.5 },
    ]);
  });

  it('reads the pieces and weight of the shipment with one call, or with none if the waybill contains it', async () => {
    const shipment = { 'cargo:totalGrossWeight': kilograms(321.5), 'cargo:pieces': [{ '@id': 'a' }, { '@id': 'b' }] };
    const linked = await read([event()], withShipment(shipmentLink), { text: JSON.stringify(shipment) });
    expect(linked.facts).toEqual({ weightKg: 321.5, piecesCount: 2 });
    expect(linked.asked.map(({ url }) => url.split('/').at(-1))).toEqual([
      'logistics-events?limit=100&skip=0',
      'waybill-157-12345675',
      's',
    ]);
    const contained = await read([event()], withShipment(shipment));
    expect(contained.facts).toEqual({ weightKg: 321.5, piecesCount: 2 });
    expect(contained.asked).toHaveLength(2);
  });

  it.each([
    ['503', { status: 503 }],
    ['403', { status: 403 }],
    ['HTML', { text: '<html></html>' }],
    ['a list', { text: '[1,2]' }],
  ])('does without the shipment when its server returns %s', async (_name, answer) => {
    const { events, facts } = await read([event()], withShipment(shipmentLink), answer);
    expect(events).toHaveLength(1);
    expect(facts).toBeUndefined();
  });

  it('never asks another server for a shipment', async () => {
    const { asked } = await read([event()], withShipment({ '@id': 'https://elsewhere.example/s' }));
    expect(asked.map(({ url }) => new URL(url).host)).not.toContain('elsewhere.example');
  });

  it('keeps the first 200 of 400 pieces, and their number', async () => {
    const pieces = Array.from({ length: 400 }, (_, index) => ({ 'cargo:upid': `P${index}` }));
    const { facts } = await read([event()], withShipment({ 'cargo:pieces': pieces }));
    expect(facts?.pieces).toHaveLength(200);
    expect(facts?.piecesCount).toBe(400);
  });

  it.each([
    ['negative pieces', { 'cargo:recordedPieceCount': -1 }, 'recordedPieceCount is out of range'],
    ['too many pieces', { 'cargo:recordedPieceCount': 1e9 }, 'recordedPieceCount is out of range'],
    ['pieces as an object', { 'cargo:recordedPieceCount': { a: 1 } }, 'recordedPieceCount is not a number'],
    ['a negative weight', { 'cargo:recordedWeight': kilograms(-1) }, 'the weight is negative'],
    ['a weight without a unit', { 'cargo:recordedWeight': kilograms(5, null) }, 'the weight has no unit'],
    ['a nested weight', { 'cargo:recordedWeight': kilograms({ a: { b: 1 } }) }, 'the weight is not a number'],
  ])('sets aside %s and keeps the event', async (_name, changes, reason) => {
    const { events, unreadable } = await read([event(changes)]);
    expect(unreadable).toMatchObject([{ reason }]);
    expect(events).toMatchObject([{ code: 'departed' }]);
    expect(events[0]?.details).toBeUndefined();
  });

  it.each([
    ['no pieces, which fills what nobody entered', { 'cargo:recordedPieceCount': 0 }],
    ['a text where a value is expected', { 'cargo:recordedWeight': '' }],
  ])('states no pieces and no weight for %s', async (_name, changes) => {
    const { events, unreadable } = await read([event(changes)]);
    expect(unreadable).toEqual([]);
    expect(events[0]?.details).toBeUndefined();
  });

  it('counts the delivery of a part only if it is known how many pieces there are', async () => {
    const part = event({
      'cargo:eventCode': 'DLV',
      'cargo:partialEventIndicator': true,
      'cargo:recordedPieceCount': 2,
    });
    expect((await read([part])).events).toMatchObject([{ code: 'other', details: { piecesCount: 2 } }]);
    const whole = event({ 'cargo:eventCode': 'RCS', 'cargo:recordedPieceCount': 5 });
    const { events, facts } = await read([whole, part]);
    expect(facts).toEqual({ piecesCount: 5 });
    expect(events).toMatchObject([
      { code: 'received_from_shipper' },
      { code: 'delivered', details: { piecesCount: 2 } },
    ]);
  });
});

describe('pages', () => {
  const page = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      event({
        '@id': `urn:event:${from + index}`,
        'cargo:eventDate': new Date(Date.UTC(2026, 0, 1) + (from + index) * 60_000).toISOString(),
      }),
    );

  it('are read with skip up to the total', async () => {
    const { context, asked } = scriptedCarrier([
      collection(page(0, 100), 130),
      collection(page(100, 30), 130),
      { status: 404 },
    ]);
    const refresh = await fetchOnce(oneRecord, context, awb);
    expect(refresh.outcome === 'found' && refresh.reading.events).toHaveLength(130);
    expect(asked[1]?.url).toContain('skip=100');
  });

  it('end with the first page of a server that ignores skip', async () => {
    const { context, asked } = scriptedCarrier([collection(page(0, 100), 500)]);
    const refresh = await fetchOnce(oneRecord, context, awb);
    expect(refresh.outcome === 'found' && refresh.reading.events).toHaveLength(100);
    expect(asked.length).toBeLessThan(5);
  });
});

describe('HEAD', () => {
  const read = {
    state: 'active',
    reason: null,
    consecutiveFailures: 0,
    readingHash: 'ab',
    lastSucceededAt: '2026-04-30T23:00:00.000Z',
    lastChangedAt: null,
  } as const;
  const known = (changes: Partial<RefreshSubject> = {}) =>
    freightSubject('air', { awb: '157-12345675' }, { polling: read, ...changes });
  const head = (modified: string | null, date = 'Fri, 01 May 2026 00:00:00 GMT') => ({
    headers: new Headers({ date, ...(modified ? { 'last-modified': modified } : {}) }),
  });
  const outcome = async (first: { headers?: Headers; status?: number; text?: string }, subject = known()) => {
    const { context, asked } = scriptedCarrier([first, collection([event()]), { status: 404 }]);
    const refresh = await fetchOnce(oneRecord, context, subject);
    return [refresh.outcome, ...asked.map(({ method }) => method)].slice(0, 3);
  };

  it('is enough when nothing changed since the last reading', async () => {
    expect(await outcome(head('Thu, 30 Apr 2026 20:00:00 GMT'))).toEqual(['unchanged', 'HEAD']);
  });

  it('is followed by GET when something changed since or minutes before, or when headers are missing', async () => {
    expect(await outcome(head('Thu, 30 Apr 2026 23:30:00 GMT'))).toEqual(['found', 'HEAD', 'GET']);
    expect(await outcome(head('Thu, 30 Apr 2026 22:58:00 GMT'))).toEqual(['found', 'HEAD', 'GET']);
    expect(await outcome(head(null))).toEqual(['found', 'HEAD', 'GET']);
    expect(await outcome(head('soon'))).toEqual(['found', 'HEAD', 'GET']);
  });

  it.each([404, 405, 500, 501])('with status %s is followed by GET', async (status) => {
    expect(await outcome({ status })).toEqual(['found', 'HEAD', 'GET']);
  });

  it('works with a carrier whose clock is wrong', async () => {
    const hourAhead = 'Fri, 01 May 2026 01:00:00 GMT';
    expect(await outcome(head('Fri, 01 May 2026 00:30:00 GMT', hourAhead))).toEqual(['found', 'HEAD', 'GET']);
    expect(await outcome(head('Thu, 30 Apr 2026 23:30:00 GMT', hourAhead))).toEqual(['unchanged', 'HEAD']);
  });

  it('is skipped before the first reading and at every twelfth refresh', async () => {
    expect((await outcome(collection([event()]), awb)).slice(0, 2)).toEqual(['found', 'GET']);
    expect((await outcome(collection([event()]), known({ epoch: 24 }))).slice(0, 2)).toEqual(['found', 'GET']);
  });
});

describe('other responses', () => {
  it.each([
    ['404', { status: 404 }, { outcome: 'not_found', httpStatus: 404 }],
    [
      'no event yet',
      { text: '{"@type":"api:Collection","api:hasTotalItems":0}' },
      { outcome: 'not_found', httpStatus: 200 },
    ],
    [
      '400',
      { status: 400, text: '{"api:hasTitle":"Bad"}' },
      { outcome: 'error', reason: 'invalid_identifier', permanent: false },
    ],
    [
      '400 about the number',
      { status: 400, text: '{"api:hasTitle":"Malformed identifier"}' },
      { outcome: 'error', reason: 'invalid_identifier', permanent: false },
    ],
    ['403', { status: 403 }, { outcome: 'error', reason: 'carrier_auth_failed' }],
    [
      '429',
      { status: 429, headers: new Headers({ 'retry-after': '7' }) },
      { outcome: 'error', reason: 'carrier_rate_limited', retryAfterMs: 7000 },
    ],
    ['302', { status: 302 }, { outcome: 'error', reason: 'unrecognized_response' }],
    ['503', { status: 503 }, { outcome: 'error', reason: 'carrier_unreachable' }],
    ['HTML with 200', { text: '<html></html>' }, { outcome: 'error', reason: 'unrecognized_response' }],
    ['nothing with 200', { text: '' }, { outcome: 'error', reason: 'unrecognized_response' }],
    ['another JSON', { text: '{"items":[]}' }, { outcome: 'error', reason: 'unrecognized_response' }],
  ])('%s', async (_name, answer, expected) => {
    expect(await fetchOnce(oneRecord, scriptedCarrier([answer]).context, awb)).toMatchObject(expected);
  });

  it('makes no call for a shipment without an air waybill', async () => {
    const { context, asked } = scriptedCarrier([]);
    expect(await fetchOnce(oneRecord, context, freightSubject('air', { hawb: 'H1' }))).toMatchObject({
      reason: 'wrong_identifier_type',
      permanent: true,
    });
    expect(asked).toEqual([]);
  });

  it('names missing credentials for a token address', async () => {
    const { context } = scriptedCarrier([], { authUrl: 'https://carrier.example/token' });
    expect(await fetchOnce(oneRecord, context, awb)).toMatchObject({ reason: 'credentials_missing' });
  });

  it('returns a reading or a named error for any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (item, other) => {
        for (const body of [
          item,
          { 'api:hasItem': [item, { ...event(), 'cargo:eventLocation': other, 'cargo:eventFor': item }] },
        ]) {
          const refresh = await fetchOnce(oneRecord, scriptedCarrier([{ text: JSON.stringify(body) }]).context, awb);
          expect(refresh.outcome === 'error' ? refresh.reason : null).not.toBe('internal_error');
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('returns a named error for a response truncated anywhere', async () => {
    const { text } = collection([event(), event()]);
    for (let length = 0; length < text.length; length += 7) {
      const refresh = await fetchOnce(oneRecord, scriptedCarrier([{ text: text.slice(0, length) }]).context, awb);
      expect(refresh).toMatchObject({ outcome: 'error', reason: 'unrecognized_response' });
    }
  });
});
