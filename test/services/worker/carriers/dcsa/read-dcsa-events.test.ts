import { afterEach, describe, expect, test } from 'vitest';
import type { CarrierContext, Connector } from '#services/worker/carriers/carrier.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import type { Reading } from '#shared/domain/events/event.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { patienceMs } from '#test/support/until.ts';
import { type Answer, equipmentEvent, json, openFakeCarrier, subject, transportEvent } from './fake-carrier.ts';

type Fake = Awaited<ReturnType<typeof openFakeCarrier>>;
const open: Fake[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((fake) => fake.close()));
});

async function fakeCarrier(answer: Answer): Promise<Fake> {
  const fake = await openFakeCarrier(answer);
  open.push(fake);
  return fake;
}

async function refresh(
  connector: Connector,
  ctx: CarrierContext,
  about: RefreshSubject = subject({ mbl: 'MAEU123456789' }),
): Promise<FetchResult> {
  const results = await connector.fetch(ctx, [about], AbortSignal.timeout(patienceMs));
  const result = results.get(about.shipmentId);
  if (!result) throw new Error('no result');
  return result;
}

function found(result: FetchResult): Reading {
  if (result.outcome !== 'found') throw new Error(`expected found, got ${JSON.stringify(result)}`);
  return result.reading;
}

const { maersk, dcsa } = connectors;
const hapag = connectors['hapag-lloyd'];

describe('maersk', () => {
  test('reads the wrapped list and queries the B/L without prefix, with a token and the consumer key', async () => {
    const fake = await fakeCarrier((asked, response) =>
      asked.url.pathname === '/token'
        ? json(response, { access_token: 'tok', expires_in: '3599' })
        : json(response, { events: [equipmentEvent('LOAD')] }),
    );
    const reading = found(await refresh(maersk, fake.context({ authUrl: `${fake.baseUrl}/token` })));
    expect(reading.events).toMatchObject([{ code: 'loaded', container: 'TESU1234565', source: 'carrier' }]);
    const [token, events] = fake.asked;
    expect(token?.body).toBe('grant_type=client_credentials&client_id=id&client_secret=secret');
    expect(token?.headers['consumer-key']).toBe('id');
    expect(events?.headers.authorization).toBe('Bearer tok');
    expect(events?.url.pathname).toBe('/track-and-trace-private/events');
    expect(events?.url.searchParams.get('transportDocumentReference')).toBe('123456789');
  });

  test('reads a numeric IMO, a shared event id and a time without offset, which is local at its place', async () => {
    const local = { eventID: 4711, eventDateTime: '2026-07-01T10:00:00' };
    const call = { modeOfTransport: 'VESSEL', UNLocationCode: 'NLRTM', vessel: { vesselIMONumber: 9321483 } };
    const fake = await fakeCarrier((_asked, response) =>
      json(response, {
        events: [transportEvent('ARRI', { ...local, transportCall: call }), equipmentEvent('LOAD', { eventID: 4711 })],
      }),
    );
    const [arrival, loading] = found(await refresh(maersk, fake.context())).events;
    expect(arrival).toMatchObject({ code: 'arrived', sourceEventId: '4711', vehicle: { imo: '9321483' } });
    expect(arrival?.time).toEqual({
      at: '2026-07-01T08:00:00.000Z',
      local: '2026-07-01T10:00:00',
      timezone: 'Europe/Amsterdam',
      zoneSource: 'location',
      precision: 'second',
    });
    expect(loading?.sourceEventId).toBe('4711');
  });

  test("includes its own and the gateway's error text in the detail", async () => {
    for (const body of [{ status: 503, message: 'down' }, { error: [{ code: 'ERR_GW_001', message: 'down' }] }]) {
      const fake = await fakeCarrier((_asked, response) => json(response, body, { status: 503 }));
      expect(await refresh(maersk, fake.context())).toMatchObject({
        outcome: 'error',
        reason: 'carrier_unreachable',
        detail: expect.stringContaining('down'),
      });
    }
  });

  test('replaces a rejected token once, even while paging', async () => {
    let tokens = 0;
    const fake = await fakeCarrier((asked, response) => {
      if (asked.url.pathname === '/token') return json(response, { access_token: `tok${++tokens}`, expires_in: 3600 });
      const isSecond = asked.url.searchParams.has('cursor');
      if (isSecond && asked.headers.authorization === 'Bearer tok1') return json(response, {}, { status: 401 });
      json(response, { events: [equipmentEvent('LOAD')] }, { headers: isSecond ? {} : { 'Next-Page-Cursor': '1' } });
    });
    expect(found(await refresh(maersk, fake.context({ authUrl: `${fake.baseUrl}/token` }))).events).toHaveLength(2);
    expect(tokens).toBe(2);
  });

  test('shares one token request between concurrent callers and reports a token that never works as an authentication error', async () => {
    const fake = await fakeCarrier((asked, response) =>
      asked.url.pathname === '/token'
        ? json(response, { access_token: 'tok', expires_in: 3600 })
        : json(response, {}, { status: asked.url.search.includes('BAD') ? 401 : 404 }),
    );
    const ctx = fake.context({ authUrl: `${fake.baseUrl}/token` });
    const results = await Promise.all([1, 2, 3].map(() => refresh(maersk, ctx)));
    expect(results.map(({ outcome }) => outcome)).toEqual(['not_found', 'not_found', 'not_found']);
    expect(fake.asked.filter(({ url }) => url.pathname === '/token')).toHaveLength(1);
    expect(await refresh(maersk, ctx, subject({ booking: 'BAD' }))).toMatchObject({
      outcome: 'error',
      reason: 'carrier_auth_failed',
      permanent: false,
    });
  });

  test('reports a rejected client secret as an authentication error and names a missing one', async () => {
    const fake = await fakeCarrier((_asked, response) => json(response, { error: 'invalid_client' }, { status: 400 }));
    expect(await refresh(maersk, fake.context({ authUrl: `${fake.baseUrl}/token` }))).toMatchObject({
      reason: 'carrier_auth_failed',
    });
    expect(await refresh(maersk, fake.context({ clientSecret: null }))).toMatchObject({
      reason: 'credentials_missing',
      permanent: false,
    });
  });
});

describe('hapag-lloyd', () => {
  test('reads events without id, transportCallId, null IMO, a long facility code, UTC milliseconds and round-trip voyages', async () => {
    const fake = await fakeCarrier((_asked, response) =>
      json(response, [
        {
          eventType: 'EQUIPMENT',
          eventClassifierCode: 'ACT',
          eventCreatedDateTime: '2026-04-01T02:00:00.000Z',
          eventDateTime: '2026-04-01T02:00:00.000Z',
          equipmentEventTypeCode: 'LOAD',
          emptyIndicatorCode: 'LADEN',
          equipmentReference: 'TESU 123456 5',
          ISOEquipmentCode: '45RT',
          eventLocation: { UNLocationCode: 'CN SHA', facilityCode: 'CNSHAYSGT', facilityCodeListProvider: 'BIC' },
          transportCall: {
            transportCallId: 'x',
            modeOfTransport: 'VESSEL',
            exportVoyageNumber: 'UNIF  54',
            vessel: { vesselIMONumber: null, vesselName: 'Test' },
          },
        },
        {
          eventType: 'SHIPMENT',
          eventDateTime: '2026-03-20T02:00:00.000Z',
          shipmentEventTypeCode: 'CONF',
          documentTypeCode: 'BKG',
          documentID: '12345678',
        },
      ]),
    );
    const [loading, booking] = found(
      await refresh(hapag, fake.context(), subject({ booking: '12345678' }, 'HLCU')),
    ).events;
    expect(loading).toMatchObject({
      code: 'loaded',
      container: 'TESU1234565',
      isoType: '45RT',
      sourceEventId: null,
      vehicle: { imo: null, name: 'Test', voyage: 'UNIF 54' },
      location: { unlocode: 'CNSHA', name: 'Shanghai', facility: 'CNSHAYSGT', timezone: 'Asia/Shanghai' },
      time: { at: '2026-04-01T02:00:00.000Z', local: '2026-04-01T10:00:00', zoneSource: 'carrier' },
    });
    expect(booking).toMatchObject({ code: 'booking_confirmed', classifier: 'actual', document: '12345678' });
    expect(fake.asked[0]?.headers).toMatchObject({ 'x-ibm-client-id': 'id', 'x-ibm-client-secret': 'secret' });
    expect(fake.asked[0]?.url.href).toContain('/hlag/external/v2/events/?carrierBookingReference=12345678');
  });
});

describe('reading', () => {
  test('rejects an invalid event individually with its reason and keeps its neighbours', async () => {
    const bad = [
      null,
      'text',
      equipmentEvent('LOAD', { eventDateTime: 'soon' }),
      equipmentEvent('LOAD', { eventClassifierCode: null }),
      { eventType: 'IOT' },
    ];
    const fake = await fakeCarrier((_asked, response) =>
      json(response, [equipmentEvent('LOAD'), ...bad, equipmentEvent('DISC')]),
    );
    const reading = found(await refresh(dcsa, fake.context(), subject({ booking: 'B1' }, 'ONEY')));
    expect(reading.events.map(({ code }) => code)).toEqual(['loaded', 'discharged']);
    expect(reading.unreadable.map(({ reason }) => reason)).toEqual([
      'the event is not an object',
      'the event is not an object',
      'eventDateTime is not a time',
      'eventClassifierCode is missing',
      'eventClassifierCode is missing',
    ]);
    expect(reading.unreadable[2]?.raw).toEqual(bad[2]);
  });

  test('tries the B/L bare, then with its prefix, then the booking, and the container only without either', async () => {
    const fake = await fakeCarrier((_asked, response) => json(response, [], {}));
    expect(
      await refresh(
        dcsa,
        fake.context(),
        subject({ mbl: 'ONEYSH123456', booking: 'B1', container: 'TESU1234565' }, 'ONEY'),
      ),
    ).toMatchObject({
      outcome: 'not_found',
      httpStatus: 200,
      reason: 'carrier_not_found_yet',
    });
    await refresh(dcsa, fake.context(), subject({ container: 'TESU1234565' }, 'ONEY'));
    expect(fake.asked.map(({ url }) => [...url.searchParams.entries()][0]?.join('='))).toEqual([
      'transportDocumentReference=SH123456',
      'transportDocumentReference=ONEYSH123456',
      'carrierBookingReference=B1',
      'equipmentReference=TESU1234565',
    ]);
  });

  test('fails permanently for a shipment without a usable identifier', async () => {
    const fake = await fakeCarrier((_asked, response) => json(response, []));
    expect(await refresh(dcsa, fake.context(), subject({ hbl: 'H1' }))).toMatchObject({
      reason: 'wrong_identifier_type',
      permanent: true,
    });
    expect(fake.asked).toHaveLength(0);
  });

  test('fails instead of waiting when the budget is exhausted, and marks simulated data in the source', async () => {
    const fake = await fakeCarrier((_asked, response) => json(response, [equipmentEvent('LOAD')]));
    const ctx = fake.context({ simulated: true });
    expect(found(await refresh(dcsa, ctx)).source).toBe('simulator:dcsa');
    while (ctx.budget.take() === 0);
    expect(await refresh(dcsa, ctx)).toMatchObject({
      reason: 'carrier_rate_limited',
      retryAfterMs: 1000,
      httpStatus: null,
    });
  });
});

describe('paging', () => {
  const page = (name: string) => [equipmentEvent('LOAD', { equipmentReference: name })];
  const cases: [string, (baseUrl: string) => Record<string, string>][] = [
    ['Next-Page-Cursor', () => ({ 'Next-Page-Cursor': 'c/2=' })],
    ['Next-Page as a bare cursor', () => ({ 'Next-Page': 'fE9mZnNldHw9NSZsaW1pdD01' })],
    ['Next-Page as an absolute link', (baseUrl) => ({ 'Next-Page': `${baseUrl}/v2/events?cursor=2` })],
    ['Next-Page as a relative link', () => ({ 'Next-Page': '/v2/events?cursor=2' })],
    ['Link', () => ({ Link: '</v2/events?cursor=1>; rel="prev", </v2/events?cursor=2>; rel="next"' })],
  ];

  test.each(cases)('follows %s with the original parameters', async (_name, headersOf) => {
    const fake = await fakeCarrier((asked, response) =>
      json(response, page(asked.url.searchParams.has('cursor') ? 'TWO' : 'ONE'), {
        headers: asked.url.searchParams.has('cursor') ? {} : headersOf(`http://${asked.headers.host}`),
      }),
    );
    const { events } = found(await refresh(dcsa, fake.context(), subject({ booking: 'B1' })));
    expect(events.map(({ container }) => container)).toEqual(['ONE', 'TWO']);
    expect(fake.asked[1]?.url.searchParams.get('carrierBookingReference')).toBe('B1');
  });

  test.each(['http://127.0.0.1:9/v2/events?cursor=2', '//127.0.0.1:9/v2/events?cursor=2'])(
    'does not follow a link to another origin, and reports the list as incomplete: %s',
    async (link) => {
      const fake = await fakeCarrier((_asked, response) =>
        json(response, page('ONE'), { headers: { 'Next-Page': link } }),
      );
      const reading = found(await refresh(dcsa, fake.context(), subject({ booking: 'B1' })));
      expect(reading.events).toHaveLength(1);
      expect(reading.partial).toBe("the next page of the list is not at the carrier's own address");
      expect(fake.asked).toHaveLength(1);
    },
  );

  test('stops at a repeated cursor and at the page limit', async () => {
    const loop = await fakeCarrier((_asked, response) =>
      json(response, page('ONE'), { headers: { 'Next-Page-Cursor': 'same' } }),
    );
    const looped = found(await refresh(dcsa, loop.context(), subject({ booking: 'B1' })));
    expect(looped.events).toHaveLength(2);
    expect(looped.partial).toBe('the pages of the list repeat themselves');
    const endless = await fakeCarrier((_asked, response, count) =>
      json(response, page('ONE'), { headers: { 'Next-Page-Cursor': `${count}` } }),
    );
    const { partial } = found(await refresh(dcsa, endless.context(), subject({ booking: 'B1' })));
    expect(partial).toBe('the list has more than 20 pages');
    expect(endless.asked).toHaveLength(20);
  });

  test('reports a list as incomplete without a page that is missing, and complete with a last page without content', async () => {
    const lastPage = (status: number) =>
      fakeCarrier((asked, response) =>
        asked.url.searchParams.has('cursor')
          ? response.writeHead(status).end()
          : json(response, page('ONE'), { headers: { 'Next-Page-Cursor': '2' } }),
      );
    const readWith = async (status: number) =>
      found(await refresh(dcsa, (await lastPage(status)).context(), subject({ booking: 'B1' })));
    expect((await readWith(404)).partial).toBe('page 2 of the list is missing (404)');
    expect((await readWith(204)).partial).toBeUndefined();
  });

  test('treats a last page that links to itself as complete', async () => {
    const fake = await fakeCarrier((asked, response) => {
      const isLast = asked.url.searchParams.has('cursor');
      json(response, page(isLast ? 'TWO' : 'ONE'), { headers: { 'Next-Page-Cursor': '2' } });
    });
    const reading = found(await refresh(dcsa, fake.context(), subject({ booking: 'B1' })));
    expect(reading.events).toHaveLength(2);
    expect(reading.partial).toBeUndefined();
  });
});

describe('errors', () => {
  const cases: [number | string, Record<string, unknown>, Record<string, string>?][] = [
    [400, { reason: 'invalid_identifier', permanent: false }],
    [422, { reason: 'invalid_identifier', permanent: false }],
    [401, { reason: 'carrier_auth_failed', permanent: false }],
    [403, { reason: 'carrier_auth_failed', permanent: false }],
    [429, { reason: 'carrier_rate_limited', retryAfterMs: 120_000 }, { 'Retry-After': '120' }],
    [429, { reason: 'carrier_rate_limited', retryAfterMs: 60_000 }, { 'Retry-After': 'Fri, 01 May 2026 00:01:00 GMT' }],
    [429, { reason: 'carrier_rate_limited', retryAfterMs: null }],
    [429, { reason: 'carrier_rate_limited', retryAfterMs: 30_000 }, { 'RateLimit-Reset': '30' }],
    [
      429,
      { reason: 'carrier_rate_limited', retryAfterMs: 60_000 },
      { 'RateLimit-Reset': String(Date.parse('2026-05-01T00:01:00Z') / 1000) },
    ],
    [408, { reason: 'carrier_unreachable' }],
    [500, { reason: 'carrier_unreachable' }],
    [503, { reason: 'carrier_unreachable', retryAfterMs: 5000 }, { 'Retry-After': '5' }],
    [302, { reason: 'unrecognized_response' }, { location: 'http://127.0.0.1:9/' }],
  ];

  test.each(cases)('maps %s to %o', async (status, expected, headers = {}) => {
    const fake = await fakeCarrier((_asked, response) =>
      json(response, { message: 'no' }, { status: Number(status), headers }),
    );
    expect(await refresh(dcsa, fake.context())).toMatchObject({ outcome: 'error', httpStatus: status, ...expected });
  });

  test.each([
    ['a page', '<html></html>'],
    ['broken JSON', '[{'],
    ['nothing', ''],
    ['an object', '{"a":1}'],
  ])('rejects a 200 with %s as unrecognized', async (_name, body) => {
    const fake = await fakeCarrier((_asked, response) => json(response, body));
    expect(await refresh(dcsa, fake.context())).toMatchObject({
      outcome: 'error',
      reason: 'unrecognized_response',
      permanent: false,
      httpStatus: 200,
    });
  });

  test('maps 404 to not found', async () => {
    const fake = await fakeCarrier((_asked, response) => json(response, { message: 'nothing' }, { status: 404 }));
    expect(await refresh(dcsa, fake.context())).toMatchObject({ outcome: 'not_found', httpStatus: 404 });
  });

  test('reports a broken connection and an aborted refresh as unreachable, an oversized body as unreadable', async () => {
    const cut = await fakeCarrier((_asked, response) => response.destroy());
    expect(await refresh(dcsa, cut.context())).toMatchObject({ reason: 'carrier_unreachable', httpStatus: null });
    const huge = await fakeCarrier((_asked, response) => response.end(`"${'x'.repeat(9 * 1024 * 1024)}"`));
    expect(await refresh(dcsa, huge.context())).toMatchObject({
      reason: 'unrecognized_response',
      detail: expect.stringContaining('larger'),
    });
    const silent = await fakeCarrier(() => undefined);
    const about = subject({ booking: 'B1' });
    const results = await dcsa.fetch(silent.context(), [about], AbortSignal.timeout(50));
    expect(results.get(about.shipmentId)).toMatchObject({
      reason: 'carrier_unreachable',
      detail: expect.stringContaining('in time'),
    });
  });

  test('keeps the budget closed after a 429 for as long as the carrier demands', async () => {
    const fake = await fakeCarrier((_asked, response) =>
      json(response, {}, { status: 429, headers: { 'Retry-After': '7' } }),
    );
    const ctx = fake.context();
    await refresh(dcsa, ctx, subject({ booking: 'B1' }));
    expect(await refresh(dcsa, ctx, subject({ booking: 'B1' }))).toMatchObject({
      reason: 'carrier_rate_limited',
      retryAfterMs: 7000,
    });
    expect(fake.asked).toHaveLength(1);
    expect(ctx.budget.free()).toBe(0);
  });
});
