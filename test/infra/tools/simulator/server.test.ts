import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { buildSimulator } from '#infra/tools/simulator/server.ts';
import type { DcsaEvent } from '#infra/tools/simulator/voyages/event.ts';

const plainPath = '/sim/dcsa/v2/events';
const hapagPath = '/sim/hapag-lloyd/hlag/external/v2/events/';
const maerskPath = '/sim/maersk/track-and-trace-private/events';
const tokenPath = '/sim/maersk/customer-identity/oauth/v2/access_token';
const hapagHeaders = { 'x-ibm-client-id': 'id', 'x-ibm-client-secret': 'secret' };

let clockMs = Date.parse('2026-03-20T12:00:00Z');
let apps: FastifyInstance[] = [];

afterEach(async () => {
  for (const app of apps) await app.close();
  apps = [];
  clockMs = Date.parse('2026-03-20T12:00:00Z');
});

function simulator(options: { seed?: string; stateFile?: string } = {}): FastifyInstance {
  const app = buildSimulator({
    seed: options.seed ?? 'test',
    now: () => clockMs,
    voyageS: 50,
    stateFile: options.stateFile ?? null,
    control: true,
  });
  apps.push(app);
  return app;
}

async function get(
  app: FastifyInstance,
  path: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  return await app.inject({ method: 'GET', url: path, query, headers });
}

async function eventsOf(app: FastifyInstance, query: Record<string, string>): Promise<DcsaEvent[]> {
  const response = await get(app, plainPath, { limit: '1000', ...query });
  expect(response.statusCode).toBe(200);
  return response.json();
}

async function faulty(app: FastifyInstance, reference: string, ...faults: unknown[]): Promise<void> {
  const response = await app.inject({ method: 'POST', url: '/control/faults', payload: { reference, faults } });
  expect(response.statusCode).toBe(204);
}

async function signIn(app: FastifyInstance, secret = 'secret') {
  const payload = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'id',
    client_secret: secret,
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'consumer-key': 'key' };
  return await app.inject({ method: 'POST', url: tokenPath, payload, headers });
}

describe('plain DCSA 2.2', () => {
  it('finds one voyage by B/L with and without prefix, by booking and by container', async () => {
    const app = simulator();
    const byBl = await eventsOf(app, { transportDocumentReference: 'MEDU123456780' });
    clockMs += 51_000;
    const whole = await eventsOf(app, { transportDocumentReference: '123456780' });
    expect(whole.length).toBeGreaterThan(byBl.length);
    const booking = whole.find((event) => event.documentTypeCode === 'BKG')?.documentID ?? '';
    expect(await eventsOf(app, { carrierBookingReference: booking })).toEqual(whole);
    const container = whole.find((event) => event.equipmentReference)?.equipmentReference ?? '';
    const ofContainer = await eventsOf(app, { equipmentReference: container });
    expect(ofContainer.length).toBeGreaterThan(10);
    for (const event of ofContainer) expect(whole).toContainEqual(event);
  });

  it('gives an unknown container or booking a voyage of its own, and numbers with 404 none', async () => {
    const app = simulator();
    const events = await eventsOf(app, { equipmentReference: 'TCLU1234568' });
    expect(events.some((event) => event.equipmentReference === 'TCLU1234568')).toBe(true);
    expect((await eventsOf(app, { carrierBookingReference: 'BOOK55' })).length).toBeGreaterThan(0);
    expect(await eventsOf(app, { transportDocumentReference: 'MEDU99404990' })).toEqual([]);
  });

  it('returns the same bytes for the same seed and moment', async () => {
    const [one, other, third] = [simulator(), simulator(), simulator({ seed: 'another' })];
    const bodies = [];
    for (const app of [one, other, third])
      bodies.push((await get(app, plainPath, { transportDocumentReference: 'ONEY12345679' })).body);
    expect(bodies[0]).toBe(bodies[1]);
    expect(bodies[0]).not.toBe(bodies[2]);
  });

  it('pages through every event once by cursor while time advances', async () => {
    const app = simulator();
    const whole = await eventsOf(app, { transportDocumentReference: '55566677' });
    const walked: DcsaEvent[] = [];
    let query: Record<string, string> = { transportDocumentReference: '55566677', limit: '7' };
    for (;;) {
      const response = await get(app, plainPath, query);
      expect(response.headers).toMatchObject({ 'api-version': '2.2.0', 'current-page': expect.any(String) });
      const page: DcsaEvent[] = response.json();
      expect(page.length).toBeLessThanOrEqual(7);
      walked.push(...page);
      clockMs += 86_400_000;
      const next = response.headers['next-page'];
      if (typeof next !== 'string') break;
      expect(response.headers['next-page-cursor']).toBe(next);
      query = { cursor: next };
    }
    expect(walked).toEqual(whole);
  });

  it('combines lists with OR and filters with AND, reads operators in the name, and sorts', async () => {
    const app = simulator();
    await eventsOf(app, { transportDocumentReference: 'HDMU123456781' });
    clockMs += 25_000;
    const all = await eventsOf(app, { transportDocumentReference: 'HDMU123456781' });
    const some = await eventsOf(app, {
      transportDocumentReference: 'HDMU123456781',
      eventType: 'TRANSPORT,EQUIPMENT',
      UNLocationCode: all[3]?.transportCall?.UNLocationCode ?? '',
    });
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length);
    for (const event of some) expect(event.transportCall?.UNLocationCode).toBe(all[3]?.transportCall?.UNLocationCode);
    const middle = all[Math.floor(all.length / 2)]?.eventCreatedDateTime ?? '';
    const late = await eventsOf(app, { transportDocumentReference: '123456781', 'eventCreatedDateTime:gte': middle });
    expect(late).toEqual(all.filter((event) => Date.parse(event.eventCreatedDateTime) >= Date.parse(middle)));
    const sorted = await eventsOf(app, { transportDocumentReference: '123456781', sort: 'eventDateTime:DESC' });
    const times = sorted.map((event) => Date.parse(event.eventDateTime));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(
      await eventsOf(app, {
        transportDocumentReference: '123456781',
        eventType: 'SHIPMENT',
        transportEventTypeCode: 'ARRI',
      }),
    ).toEqual([]);
  });

  it.each([
    ['an unknown enum value', { eventType: 'WEATHER' }],
    ['a limit of 0', { limit: '0' }],
    ['an unknown cursor', { cursor: 'nonsense' }],
    ['an unknown sort field', { sort: 'colour:ASC' }],
    ['an invalid time', { 'eventCreatedDateTime:gte': 'yesterday' }],
    ['an unknown operator', { 'eventCreatedDateTime:near': '2026-01-01T00:00:00Z' }],
    ['a number that is too long', { equipmentReference: 'ABCD123456789012' }],
  ])('rejects %s with the standard’s error body', async (_name, query) => {
    const response = await get(simulator(), plainPath, query);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      httpMethod: 'GET',
      statusCode: 400,
      statusCodeText: 'Bad Request',
      errors: [{ reason: expect.any(String), message: expect.any(String) }],
    });
  });
});

describe('Maersk', () => {
  it('requires a key and a valid token', async () => {
    const app = simulator();
    const query = { transportDocumentReference: '123456780' };
    expect((await get(app, maerskPath, query)).json()).toMatchObject({ error: [{ code: 'ERR_GW_001' }] });
    expect(
      (await get(app, maerskPath, query, { 'consumer-key': 'key', authorization: 'Bearer nonsense' })).statusCode,
    ).toBe(401);
    expect((await signIn(app, 'wrong')).statusCode).toBe(401);
    const { access_token: token, expires_in: expiresIn } = (await signIn(app)).json();
    expect(expiresIn).toBe(120);
    const headers = { 'consumer-key': 'key', authorization: `Bearer ${token}` };
    expect((await get(app, maerskPath, query, headers)).statusCode).toBe(200);
    clockMs += 121_000;
    expect((await get(app, maerskPath, query, headers)).statusCode).toBe(401);
  });

  it('wraps the list, shares event ids, pages by number and returns its own errors', async () => {
    const app = simulator();
    const { access_token: token } = (await signIn(app)).json();
    const headers = { 'consumer-key': 'key', authorization: `Bearer ${token}` };
    await get(app, maerskPath, { transportDocumentReference: '123456780' }, headers);
    clockMs += 51_000;
    const first = await get(
      app,
      maerskPath,
      { transportDocumentReference: 'MAEU123456780', limit: '10', sort: 'eventCreatedDateTime' },
      headers,
    );
    expect(first.json().events).toHaveLength(10);
    expect(first.headers['next-page']).toBe('1');
    const second = await get(
      app,
      maerskPath,
      { transportDocumentReference: '123456780', limit: '10', cursor: '1', sort: 'eventCreatedDateTime' },
      headers,
    );
    expect(second.headers['current-page']).toBe('1');
    const all: Record<string, string>[] = (
      await get(app, maerskPath, { transportDocumentReference: '123456780', limit: '500' }, headers)
    ).json().events;
    expect([...first.json().events, ...second.json().events]).toEqual(all.slice(0, 20));
    expect(new Set(all.map((event) => event.eventID)).size).toBeLessThan(all.length);
    expect(all.some((event) => /T\d\d:\d\d:\d\d$/.test(event.eventDateTime ?? ''))).toBe(true);
    const since = {
      transportDocumentReference: '123456780',
      eventCreatedDateTime: `gte:${all.at(-1)?.eventCreatedDateTime}`,
      limit: '500',
    };
    expect((await get(app, maerskPath, since, headers)).json().events.length).toBeLessThan(5);
    expect((await get(app, maerskPath, {}, headers)).json()).toMatchObject({
      status: 400,
      timestamp: '20-03-2026 12:00:51',
      subErrors: [{}],
    });
    expect((await get(app, maerskPath, { transportDocumentReference: '404000001' }, headers)).json()).toMatchObject({
      status: 404,
      method: 'GET',
    });
  });
});

describe('Hapag-Lloyd', () => {
  it('requires its two headers and sends events in UTC without ids', async () => {
    const app = simulator();
    const query = { transportDocumentReference: 'HLCUHAM123456784' };
    expect((await get(app, hapagPath, query)).statusCode).toBe(401);
    expect((await get(app, hapagPath, query, hapagHeaders)).json()).not.toEqual([]);
    clockMs += 51_000;
    const response = await get(app, hapagPath, query, hapagHeaders);
    const events: Record<string, unknown>[] = response.json();
    expect(response.headers['next-page']).toBeUndefined();
    expect(events.length).toBeGreaterThan(10);
    for (const event of events) {
      expect(event).not.toHaveProperty('eventID');
      expect(event.eventDateTime).toMatch(/\.000Z$/);
    }
    expect(JSON.stringify(events)).toContain('"transportCallId"');
    expect(JSON.stringify(events)).not.toContain('"documentReferences"');
    expect((await get(app, hapagPath, { transportDocumentReference: 'HLCU4041' }, hapagHeaders)).json()).toEqual([]);
  });
});

describe('faults', () => {
  const query = { transportDocumentReference: 'ONEY7654320' };

  it('apply once each, in order, and are counted', async () => {
    const app = simulator();
    const answers: (string | number | undefined)[] = [];
    await faulty(
      app,
      '7654320',
      { kind: 'too_many_requests', seconds: 7 },
      { kind: 'too_many_requests', retryAfter: 'date' },
      { kind: 'status', status: 503 },
    );
    for (let request = 0; request < 4; request += 1) {
      const response = await get(app, plainPath, query);
      answers.push(response.statusCode, response.headers['retry-after'] as string | undefined);
    }
    expect(answers).toEqual([429, '7', 429, 'Fri, 20 Mar 2026 12:00:01 GMT', 503, undefined, 200, undefined]);
    expect((await get(app, '/control/served', { reference: 'ONEY7654320' })).json()).toMatchObject({ served: 4 });
    expect(
      (
        await app.inject({
          method: 'POST',
          url: '/control/faults',
          payload: { reference: 'x', faults: [{ kind: 'quake' }] },
        })
      ).statusCode,
    ).toBe(400);
  });

  it('corrupt the body', async () => {
    const app = simulator();
    const kinds = [
      'html',
      'invalid_json',
      'empty_body',
      'wrapper_object',
      'unknown_event_type',
      'time_without_offset',
      'duplicates',
      'vanished_event',
      'shuffled',
    ];
    const good = (await get(app, plainPath, query)).json();
    await faulty(app, '7654320', ...kinds.map((kind) => ({ kind })));
    const bodies = new Map<string, string>();
    for (const kind of kinds) bodies.set(kind, (await get(app, plainPath, query)).body);
    const parsed = (kind: string) => JSON.parse(bodies.get(kind) ?? '');
    expect(bodies.get('html')).toContain('<html>');
    expect(() => parsed('invalid_json')).toThrow();
    expect(bodies.get('empty_body')).toBe('');
    expect(parsed('wrapper_object').data.items).toEqual(good);
    expect(parsed('unknown_event_type')[0].eventType).toBe('WEATHER');
    expect(parsed('time_without_offset')[0].eventDateTime).toMatch(/T\d\d:\d\d:\d\d$/);
    expect(parsed('duplicates')).toEqual([...good, ...good]);
    expect(parsed('vanished_event')).toHaveLength(good.length - 1);
    expect(parsed('shuffled')).not.toEqual(good);
    expect(new Set(parsed('shuffled').map((event: DcsaEvent) => event.eventID)).size).toBe(good.length);
  });

  it('corrupt page links', async () => {
    const app = simulator();
    await faulty(app, '7654320', { kind: 'foreign_next_link' }, { kind: 'cursor_loop' });
    expect((await get(app, plainPath, query)).headers['next-page']).toMatch(/^http:\/\/attacker\.invalid/);
    const loop = await get(app, plainPath, query);
    expect(loop.headers['next-page']).toBe(loop.headers['current-page']);
    expect((await get(app, plainPath, { cursor: String(loop.headers['next-page']) })).statusCode).toBe(200);
  });

  it('cut the connection, send slowly, and hold until released', async () => {
    const app = simulator();
    const base = await app.listen({ host: '127.0.0.1', port: 0 });
    const url = `${base}${plainPath}?transportDocumentReference=ONEY7654320`;
    await faulty(app, '7654320', { kind: 'cut_connection' }, { kind: 'slow_body', ms: 30 }, { kind: 'hold' });
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
    expect(await (await fetch(url)).json()).not.toEqual([]);
    const held = fetch(url);
    expect(await (await fetch(`${base}/control/held?atLeast=1`)).json()).toEqual({ held: 1 });
    const release = await app.inject({ method: 'POST', url: '/control/release', payload: { reference: '7654320' } });
    expect(release.json()).toEqual({ released: 1 });
    expect((await held).status).toBe(200);
  });
});

describe('the state file', () => {
  it('lets a restarted simulator continue the same voyages', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
    const stateFile = join(folder, 'data', 'simulator.json');
    const before = simulator({ stateFile });
    await eventsOf(before, { transportDocumentReference: '24681350' });
    await before.close();
    expect(JSON.parse(readFileSync(stateFile, 'utf8')).voyages).toHaveLength(1);

    clockMs += 30_000;
    const after = await eventsOf(simulator({ stateFile }), { transportDocumentReference: '24681350' });
    const fresh = await eventsOf(simulator(), { transportDocumentReference: '24681350' });
    expect(after.length).toBeGreaterThan(fresh.length);

    writeFileSync(stateFile, '{"version":');
    const broken = simulator({ stateFile });
    expect((await eventsOf(broken, { transportDocumentReference: '24681350' })).length).toBe(fresh.length);
    expect(existsSync(`${stateFile}.broken`)).toBe(true);
    for (const app of apps) await app.close();
    rmSync(folder, { recursive: true });
  });

  it('lets a test set when a number was first requested', async () => {
    const app = simulator();
    const payload = { reference: '24681350', at: new Date(clockMs - 60_000).toISOString() };
    expect((await app.inject({ method: 'POST', url: '/control/first-seen', payload })).statusCode).toBe(204);
    const events = await eventsOf(app, { transportDocumentReference: 'ZIMU24681350' });
    expect(
      events.some((event) => event.emptyIndicatorCode === 'EMPTY' && event.equipmentEventTypeCode === 'GTIN'),
    ).toBe(true);
  });

  it('serves control endpoints only on request', async () => {
    const app = buildSimulator({ seed: 'test', now: () => clockMs, voyageS: 50, stateFile: null });
    apps.push(app);
    expect((await app.inject('/control/served')).statusCode).toBe(404);
    expect((await app.inject('/livez')).json()).toEqual({ status: 'ok' });
  });
});

it('answers to its host names and IP addresses alone, so that no website can steer it through a browser', async () => {
  const app = buildSimulator({
    seed: 'x',
    now: () => clockMs,
    voyageS: 50,
    stateFile: null,
    control: true,
    hosts: ['simulator'],
  });
  apps.push(app);
  for (const url of ['/', '/livez', '/sim/dcsa/v2/events?transportDocumentReference=MAEU1']) {
    const statusOf = async (host: string) => (await app.inject({ url, headers: { host } })).statusCode;
    expect(await statusOf('evil.example')).toBe(403);
    for (const host of ['simulator:8090', 'localhost:8090', '127.0.0.1']) expect(await statusOf(host)).not.toBe(403);
  }
});
