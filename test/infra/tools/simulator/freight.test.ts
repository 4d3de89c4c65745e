import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { buildSimulator } from '#infra/tools/simulator/server.ts';

const tokenPath = '/sim/one-record/oauth/token';
const eventsOf = (awb: string) => `/sim/one-record/logistics-objects/waybill-${awb}/logistics-events`;
const lufthansa = (number: string) => `/sim/lufthansa-cargo/lh/handling/shipment?aWBPrefix=020&aWBNumber=${number}`;
const dsdc = (query: string) => `/sim/nmfta-dsdc/v1/events?${query}`;
const key = { apikey: 'k', 'x-api-key': 'k' };

let clockMs = Date.parse('2026-03-20T12:00:00Z');
let apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps) await app.close();
  apps = [];
  clockMs = Date.parse('2026-03-20T12:00:00Z');
});

function simulator(seed = 'test'): FastifyInstance {
  const app = buildSimulator({ seed, now: () => clockMs, voyageS: 50, stateFile: null, control: true });
  apps.push(app);
  return app;
}

async function signIn(app: FastifyInstance, secret = 'secret') {
  const payload = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'id',
    client_secret: secret,
  }).toString();
  return app.inject({
    method: 'POST',
    url: tokenPath,
    payload,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

async function bearer(app: FastifyInstance): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${(await signIn(app)).json<{ access_token: string }>().access_token}` };
}

const faulty = (app: FastifyInstance, reference: string, ...faults: unknown[]) =>
  app.inject({ method: 'POST', url: '/control/faults', payload: { reference, faults } });

describe('ONE Record', () => {
  it('requires a valid token from its token endpoint', async () => {
    const app = simulator();
    expect((await signIn(app, 'wrong')).statusCode).toBe(401);
    const refused = await app.inject({ url: eventsOf('157-00000012') });
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toMatchObject({ '@type': 'api:Error' });
    const headers = await bearer(app);
    expect((await app.inject({ url: eventsOf('157-00000012'), headers })).statusCode).toBe(200);
    clockMs += 121_000;
    expect((await app.inject({ url: eventsOf('157-00000012'), headers })).statusCode).toBe(401);
  });

  it('returns one event as an object, several as a list, and the same bytes for the same seed', async () => {
    const [app, other] = [simulator(), simulator('other')];
    const shapes = new Set<string>();
    for (let step = 0; step < 100; step += 1) {
      const { 'api:hasItem': items } = (
        await app.inject({ url: `${eventsOf('157-00000012')}?limit=1`, headers: await bearer(app) })
      ).json();
      shapes.add(Array.isArray(items) ? 'list' : typeof items);
      clockMs += 500;
    }
    expect([...shapes].sort()).toEqual(['object', 'undefined']);
    const whole = await app.inject({ url: eventsOf('157-00000012'), headers: await bearer(app) });
    expect(Array.isArray(whole.json()['api:hasItem'])).toBe(true);
    expect(whole.headers['content-type']).toMatch(/^application\/ld\+json; version="2\.3\.0"/);
    expect((await app.inject({ url: eventsOf('157-00000012'), headers: await bearer(app) })).body).toBe(whole.body);
    const answer = await other.inject({ url: eventsOf('157-00000012'), headers: await bearer(other) });
    expect(answer.body).not.toBe(whole.body);
  });

  it('HEAD returns the time of the last event, which advances with the next one', async () => {
    const app = simulator();
    const modified = async () =>
      (await app.inject({ method: 'HEAD', url: eventsOf('157-00000012'), headers: await bearer(app) })).headers[
        'last-modified'
      ];
    const times = new Set<unknown>();
    for (let step = 0; step < 60; step += 1) {
      const before = await modified();
      expect(Date.parse(String(before))).toBeLessThanOrEqual(clockMs);
      expect(await modified()).toBe(before);
      times.add(before);
      clockMs += 1000;
    }
    expect(times.size).toBeGreaterThan(8);
    clockMs += 3_600_000;
    expect(times).toContain(await modified());
  });

  it('pages, filters and sorts', async () => {
    const app = simulator();
    await app.inject({ url: eventsOf('157-00000012'), headers: await bearer(app) });
    clockMs += 60_000;
    const items = async (query: string) => {
      const body = (
        await app.inject({ url: `${eventsOf('157-00000012')}?${query}`, headers: await bearer(app) })
      ).json();
      return [body['api:hasItem'] ?? []].flat() as Record<string, never>[];
    };
    const all = await items('');
    expect([...(await items('limit=5')), ...(await items('limit=100&skip=5'))]).toEqual(all);
    const departures = await items('event-code=DEP,DLV');
    expect(departures.length).toBeGreaterThan(1);
    for (const each of departures) expect(JSON.stringify(each['cargo:eventCode'])).toMatch(/#(DEP|DLV)"/);
    expect(await items('sort=DESC-creationDate&limit=1')).not.toEqual(await items('sort=ASC-creationDate&limit=1'));
    expect(
      (await app.inject({ url: `${eventsOf('157-00000012')}?limit=0`, headers: await bearer(app) })).statusCode,
    ).toBe(400);
  });

  it('serves the waybill and its airports, and returns 404 for a number with 404', async () => {
    const app = simulator();
    const headers = await bearer(app);
    const waybill = await app.inject({ url: eventsOf('157-00000012').replace('/logistics-events', ''), headers });
    expect(waybill.json()).toMatchObject({ '@type': 'cargo:Waybill', 'cargo:waybillPrefix': '157' });
    expect((await app.inject({ url: '/sim/one-record/logistics-objects/airport-DOH', headers })).json()).toMatchObject({
      '@type': 'cargo:Location',
    });
    expect((await app.inject({ url: '/sim/one-record/logistics-objects/airport-QQQ', headers })).statusCode).toBe(404);
    expect((await app.inject({ url: eventsOf('157-00040412'), headers })).statusCode).toBe(404);
  });
});

describe('Lufthansa Cargo', () => {
  it('requires its key and reports unknown numbers', async () => {
    const app = simulator();
    expect((await app.inject({ url: lufthansa('00000012') })).statusCode).toBe(401);
    expect((await app.inject({ url: lufthansa('00000012'), headers: { apikey: 'wrong' } })).statusCode).toBe(401);
    expect((await app.inject({ url: lufthansa('12'), headers: key })).statusCode).toBe(400);
    expect((await app.inject({ url: lufthansa('00040412'), headers: key })).statusCode).toBe(404);
    const known = await app.inject({ url: lufthansa('00000012'), headers: key });
    expect(known.json()).toMatchObject({
      shipmentTrackingStatus: { shipment: { shipmentId: { carrierNumericCode: '020' } } },
    });
  });
});

describe('DSDC In-Transit Visibility', () => {
  it('requires its key and returns problem documents', async () => {
    const app = simulator();
    const refused = await app.inject({ url: dsdc('shipmentId=PRO12'), headers: { 'x-api-key': 'wrong' } });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['content-type']).toContain('application/problem+json');
    expect((await app.inject({ url: dsdc('shipmentId=PRO12&pageSize=501'), headers: key })).json()).toMatchObject({
      status: 400,
    });
  });

  it('pages by sequence, filters by type, and returns an empty page for a number with 404', async () => {
    const app = simulator();
    await app.inject({ url: dsdc('shipmentId=PRO12'), headers: key });
    clockMs += 60_000;
    const page = async (query: string) =>
      (await app.inject({ url: dsdc(`shipmentId=PRO12&${query}`), headers: key })).json();
    const all = await page('');
    expect(all.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
      all.data.map((_: unknown, index: number) => index),
    );
    const first = await page('pageSize=3');
    const second = await page('pageSize=3&page=2');
    expect([...first.data, ...second.data]).toEqual(all.data.slice(0, 6));
    expect(first.totalPages).toBe(Math.ceil(all.totalCount / 3));
    expect((await page('eventTypes=DELIVERED')).data).toMatchObject([
      { type: 'DELIVERED', shipment: { shipmentId: 'PRO12' } },
    ]);
    expect((await page('order=desc')).data).toEqual(all.data.toReversed());
    expect((await app.inject({ url: dsdc('shipmentId=PRO40412'), headers: key })).json()).toMatchObject({
      data: [],
      totalCount: 0,
    });
  });
});

describe('faults and counts', () => {
  it.each([
    ['one-record', '15700000012', eventsOf('157-00000012')],
    ['lufthansa-cargo', '02000000012', lufthansa('00000012')],
    ['nmfta-dsdc', 'PRO12', dsdc('shipmentId=PRO12')],
  ])('of %s apply by number', async (_connector, reference, url) => {
    const app = simulator();
    const headers = { ...key, ...(await bearer(app)) };
    await faulty(
      app,
      reference,
      { kind: 'too_many_requests', seconds: 3 },
      { kind: 'status', status: 503 },
      { kind: 'html' },
      { kind: 'empty_body' },
    );
    const answers = [];
    for (let turn = 0; turn < 5; turn += 1) answers.push(await app.inject({ url, headers }));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([429, 503, 200, 200, 200]);
    expect(answers[0]?.headers['retry-after']).toBe('3');
    expect(answers[2]?.body).toContain('<html>');
    expect(answers[3]?.body).toBe('');
    expect(answers[4]?.body).toContain('{');
    expect((await app.inject({ url: `/control/served?reference=${reference}` })).json()).toMatchObject({ served: 5 });
  });

  it('lets a test set when a number was first requested', async () => {
    const app = simulator();
    await app.inject({
      method: 'POST',
      url: '/control/first-seen',
      payload: { reference: 'PRO12', at: clockMs - 60_000 },
    });
    const { data } = (await app.inject({ url: dsdc('shipmentId=PRO12'), headers: key })).json();
    expect(data.at(-1)).toMatchObject({ type: 'PROOF_OF_DELIVERY' });
  });
});
