import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { buildSimulator } from '#infra/tools/simulator/server.ts';
import type { DcsaEvent, TransportCall } from '#infra/tools/simulator/voyages/event.ts';

const paths = {
  cma: '/sim/cma-cgm/operation/trackandtrace/v1/events',
  msc: '/sim/msc/msc/trackandtrace/v2.2/events',
  one: '/sim/one/v2/cargotracking/events',
  yangMing: '/sim/yang-ming/v2/events',
  zim: '/sim/zim/trackAndTrace/v2/',
  evergreen: '/sim/evergreen/tnt/v2/events',
  hmm: '/sim/hmm/gateway/dcsaCargoTracking/v1/cargo-tracking-dcsa',
};

let app: FastifyInstance;
let clockMs = Date.parse('2026-03-20T12:00:00Z');
afterEach(() => app.close());

/** A simulator in which the voyage of this number is half complete. */
async function open(): Promise<void> {
  clockMs = Date.parse('2026-03-20T12:00:00Z');
  app = buildSimulator({ seed: 'lines', now: () => clockMs, voyageS: 50, stateFile: null, control: true });
}

type LineEvent = DcsaEvent & { eventId: string; carrierSpecificData: { shipmentLocationType: string } };
type Grouped = Record<'shipmentEvent' | 'transportEvent' | 'equipmentEvent' | 'transportCall', LineEvent[]>;

async function get(path: string, query: Record<string, string | string[]>, headers: Record<string, string> = {}) {
  return await app.inject({ method: 'GET', url: path, query, headers });
}

async function token(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const all = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
  return await app.inject({ method: 'POST', url: path, payload: new URLSearchParams(form).toString(), headers: all });
}

async function eventsOf(
  path: string,
  query: Record<string, string | string[]>,
  headers: Record<string, string> = {},
): Promise<LineEvent[]> {
  await get(path, query, headers);
  clockMs += 51_000;
  const response = await get(path, query, headers);
  expect(response.statusCode).toBe(200);
  return response.json();
}

const bl = (transportDocumentReference: string) => ({ transportDocumentReference });
const secret = { grant_type: 'client_credentials', client_id: 'id', client_secret: 'secret' };

async function bearer(path: string): Promise<Record<string, string>> {
  const response = await token(path, secret);
  return { authorization: `Bearer ${response.json().access_token}` };
}

describe('cma-cgm', () => {
  it('sends no shipment events, states each place, and caches real-time responses for an hour but never fast ones', async () => {
    await open();
    const events = await eventsOf(paths.cma, { ...bl('CMDU12345672'), limit: '1000' }, { keyid: 'key' });
    expect(new Set(events.map((event) => event.eventType))).toEqual(new Set(['TRANSPORT', 'EQUIPMENT']));
    for (const event of events) expect(event.eventID).toMatch(/^[0-9a-f]{40}$/);
    const types = new Set(events.map((event) => event.carrierSpecificData.shipmentLocationType));
    for (const type of ['PRE', 'POL', 'POD', 'PDE']) expect(types).toContain(type);
    expect((await get(paths.cma, bl('CMDU12345672'), { keyid: 'key' })).headers['cache-control']).toBe('max-age=0');
    expect((await get(paths.cma, bl('CMDU12345679'), { keyid: 'key' })).headers['cache-control']).toBe('max-age=3600');
  });

  it('hashes the booking only in the public view', async () => {
    await open();
    const bookings = (events: LineEvent[]) => {
      const references = events.flatMap((event) =>
        event.documentReferences.filter((one) => one.documentReferenceType === 'BKG'),
      );
      return new Set(references.map((one) => one.documentReferenceValue.length));
    };
    expect(bookings(await eventsOf(paths.cma, bl('CMDU12345672'), { keyid: 'key' }))).toEqual(new Set([64]));
    expect(
      bookings(await eventsOf(paths.cma, bl('CMDU12345672'), await bearer('/sim/cma-cgm/as/token.oauth2'))),
    ).toEqual(new Set([9]));
  });
});

describe('msc', () => {
  const key = { 'ocp-apim-subscription-key': 'key' };

  it('stamps local times with Z, repeats ids and events, and sends no plans and its own keys', async () => {
    await open();
    const events = await eventsOf(paths.msc, bl('MEDU12345672'), key);
    expect(new Set(events.map((event) => event.eventClassifierCode))).toEqual(new Set(['EST', 'ACT']));
    expect(events.some((event) => event.eventDateTime.endsWith('Z'))).toBe(true);
    expect(events.some((event) => /[+-]\d\d:\d\d$/.test(event.eventDateTime))).toBe(true);
    expect(new Set(events.map((event) => event.eventId)).size).toBeLessThan(events.length);
    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBeLessThan(events.length);
    const call = events.find((event) => event.transportCall?.vessel)?.transportCall;
    expect(call).toMatchObject({
      unLocationCode: expect.any(String),
      location: { address: expect.any(String) },
      vessel: { vesselOperatorCarrierCodeList: 'SMDG' },
    });
    expect(call).not.toHaveProperty('UNLocationCode');
  });

  it('requires exactly one reference and reports unknown numbers in its own format', async () => {
    await open();
    expect((await get(paths.msc, { ...bl('MEDU12345672'), equipmentReference: 'MSMU1234567' }, key)).statusCode).toBe(
      400,
    );
    const missing = await get(paths.msc, bl('MEDU99404990'), key);
    expect([missing.statusCode, missing.json()]).toEqual([
      404,
      { message: 'Container, Bill of Lading, or Booking: not found' },
    ]);
  });

  it('issues a token only for a well-formed assertion', async () => {
    await open();
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = {
      aud: 'http://x/oauth2/v2.0/token',
      iss: 'id',
      sub: 'id',
      jti: '1',
      nbf: 0,
      exp: clockMs / 1000 + 60,
    };
    const header = { alg: 'RS256', x5t: 'a'.repeat(27) };
    const ask = (head: unknown, body: unknown) =>
      token('/sim/msc/oauth2/v2.0/token', {
        grant_type: 'client_credentials',
        client_id: 'id',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `${part(head)}.${part(body)}.c2ln`,
        scope: 'app/.default',
      });
    const granted = await ask(header, claims);
    expect(granted.statusCode).toBe(200);
    expect(
      (await get(paths.msc, bl('MEDU12345672'), { authorization: `Bearer ${granted.json().access_token}` })).statusCode,
    ).toBe(200);
    expect((await ask({ ...header, alg: 'none' }, claims)).statusCode).toBe(401);
    expect((await ask(header, { ...claims, exp: clockMs / 1000 - 1 })).statusCode).toBe(401);
    expect((await ask(header, { ...claims, iss: 'other' })).statusCode).toBe(401);
    expect((await token('/sim/msc/oauth2/v2.0/token', secret)).statusCode).toBe(400);
  });
});

describe('one', () => {
  const path = '/sim/one/v1/oauth/accesstoken?grant_type=client_credentials';
  const basic = { authorization: `Basic ${Buffer.from('id:secret').toString('base64')}`, apikey: 'key' };

  it('authenticates by Basic with its key and returns the lifetime as text', async () => {
    await open();
    const response = await token(path, {}, basic);
    expect(response.json()).toMatchObject({
      access_token: expect.any(String),
      expires_in: expect.stringMatching(/^\d+$/),
    });
    expect((await token(path, {}, { ...basic, apikey: 'wrong' })).json()).toEqual({
      ErrorCode: '401',
      Error: 'Unauthorized',
    });
    expect((await token('/sim/one/v1/oauth/accesstoken', {}, basic)).statusCode).toBe(400);
  });

  it('accepts an exploded list and its own sort syntax, and sends feeders and vessels without IMO number', async () => {
    await open();
    const signedIn = async () => ({
      apikey: 'key',
      authorization: `Bearer ${(await token(path, {}, basic)).json().access_token}`,
    });
    const query = {
      ...bl('ONEY12345672'),
      eventType: ['TRANSPORT', 'EQUIPMENT'],
      sort: 'payload.eventDateTime:desc',
      limit: '1000',
    };
    const events = await eventsOf(paths.one, query, await signedIn());
    const times = events.map((event) => Date.parse(event.eventDateTime));
    expect(times).toEqual(times.toSorted((left, right) => right - left));
    expect(events.some((event) => event.eventType === 'SHIPMENT')).toBe(false);
    const calls: TransportCall[] = [];
    for (let number = 0; number < 12; number++) {
      for (const event of await eventsOf(paths.one, bl(`ONEY1234${number}72`), await signedIn()))
        if (event.transportCall?.vessel) calls.push(event.transportCall);
    }
    expect(calls.map((call) => call.modeOfTransport)).toContain('FEEDER');
    expect(calls.some((call) => call.vessel?.vesselIMONumber === undefined)).toBe(true);
  });
});

it('yang-ming sends only transport and equipment events, without pages', async () => {
  await open();
  const events = await eventsOf(paths.yangMing, { ...bl('YMLU12345672'), limit: '3' }, { keyid: 'key' });
  expect(events.every((event) => event.eventType !== 'SHIPMENT')).toBe(true);
  expect((await get(paths.yangMing, bl('YMLU12345672'), { keyid: 'key' })).headers).not.toHaveProperty('next-page');
});

it('zim requires the prefix of a B/L, ignores filters, and omits transport calls', async () => {
  await open();
  const key = { 'ocp-apim-subscription-key': 'key' };
  expect((await get(paths.zim, bl('12345672'), key)).json()).toEqual([]);
  const events = await eventsOf(paths.zim, { ...bl('ZIMU12345672'), eventType: 'NONSENSE', limit: '1' }, key);
  expect(events.length).toBeGreaterThan(10);
  const transports = events.filter((event) => event.eventType === 'TRANSPORT');
  expect(new Set(transports.map((event) => event.transportCall === undefined))).toEqual(new Set([true, false]));
});

it('evergreen sends PLAN, uses empty strings, and fails for a B/L with its prefix', async () => {
  await open();
  const headers = await bearer('/sim/evergreen/oauth2/token');
  const events = await eventsOf(paths.evergreen, bl('12345672'), headers);
  expect(events.map((event) => event.eventClassifierCode)).toContain('PLAN');
  expect(events.map((event) => event.eventClassifierCode)).not.toContain('PLN');
  expect(events.find((event) => event.transportCall?.vessel)?.transportCall?.vessel?.vesselFlag).toBe('');
  expect((await get(paths.evergreen, bl('EGLV12345672'), headers)).statusCode).toBe(500);
});

it('hmm requires booking and container and groups its events', async () => {
  await open();
  const key = { 'x-gateway-apikey': 'key' };
  expect((await get(paths.hmm, { carrierBookingReference: 'SELM12345672' }, key)).statusCode).toBe(400);
  expect((await get(paths.hmm, bl('HDMU12345672'), key)).statusCode).toBe(400);
  expect((await get(paths.hmm, { carrierBookingReference: 'SELM404', equipmentReference: 'ZZ' }, key)).statusCode).toBe(
    404,
  );
  const answer = (await eventsOf(
    paths.hmm,
    { carrierBookingReference: 'SELM12345672', equipmentReference: 'ZZ' },
    key,
  )) as unknown as Grouped;
  expect(answer.shipmentEvent[0]).toMatchObject({ eventType: 'Shipment', documentId: expect.any(String) });
  expect(answer.transportEvent[0]?.transportCall).not.toHaveProperty('vessel');
  expect(answer.transportCall.length).toBeGreaterThan(1);
  const [container] = answer.equipmentEvent.map((event) => event.equipmentReference ?? '');
  const ofOne = (
    await get(paths.hmm, { carrierBookingReference: 'SELM12345672', equipmentReference: container ?? '' }, key)
  ).json<Grouped>();
  expect(new Set(ofOne.equipmentEvent.map((event) => event.equipmentReference))).toEqual(new Set([container]));
  expect(answer.equipmentEvent[0]).toMatchObject({
    eventLocation: expect.stringMatching(/^[A-Z]{5}$/),
    emptyIndicatorCode: expect.stringMatching(/^(Empty|Laden)$/),
  });
});

it.each([
  [paths.cma, { keyid: 'wrong' }],
  [paths.cma, { authorization: 'Bearer nonsense' }],
  [paths.msc, { 'ocp-apim-subscription-key': 'wrong' }],
  [paths.one, { apikey: 'key' }],
  [paths.yangMing, {}],
  [paths.zim, { 'ocp-apim-subscription-key': '' }],
  [paths.evergreen, { authorization: 'Bearer nonsense' }],
  [paths.hmm, { 'x-gateway-apikey': 'wrong' }],
])('%s rejects %o', async (path, headers) => {
  await open();
  expect(
    (await get(path, { ...bl('12345672'), carrierBookingReference: 'B12', equipmentReference: 'ZZ' }, headers))
      .statusCode,
  ).toBe(401);
});

it.each(['/sim/cma-cgm/as/token.oauth2', '/sim/evergreen/oauth2/token'])(
  '%s rejects a wrong secret and an empty form',
  async (path) => {
    await open();
    expect((await token(path, { ...secret, client_secret: 'wrong' })).statusCode).toBe(401);
    expect((await token(path, {})).statusCode).toBe(400);
  },
);

it('applies scripted faults to every line', async () => {
  await open();
  await app.inject({
    method: 'POST',
    url: '/control/faults',
    payload: { reference: '*', faults: [{ kind: 'too_many_requests', seconds: 3600 }, { kind: 'html' }] },
  });
  const limited = await get(paths.cma, bl('CMDU12345672'), { keyid: 'key' });
  expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '3600']);
  const page = await get(
    paths.hmm,
    { carrierBookingReference: 'B12', equipmentReference: 'ZZ' },
    { 'x-gateway-apikey': 'key' },
  );
  expect(page.body).toMatch(/^<!DOCTYPE/);
});
