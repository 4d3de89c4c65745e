import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { renderGlsParcel } from '#infra/tools/simulator/parcels/carriers/gls-shape.ts';
import { planParcel } from '#infra/tools/simulator/parcels/parcel.ts';
import { parcelAt } from '#infra/tools/simulator/parcels/parcel-at.ts';
import { deliveryKinds } from '#infra/tools/simulator/parcels/scans.ts';
import { variants } from '#infra/tools/simulator/parcels/variants.ts';
import { buildSimulator } from '#infra/tools/simulator/server.ts';
import { allPorts } from '#infra/tools/simulator/voyages/ports.ts';

const number = '1Z5R89390357000017';
const clock = { ms: 0 };
let app: FastifyInstance;

function open(options: { seed?: string; stateFile?: string | null } = {}): void {
  clock.ms = Date.parse('2026-03-20T12:00:00Z');
  app = buildSimulator({
    seed: options.seed ?? 'parcels',
    now: () => clock.ms,
    voyageS: 100,
    stateFile: options.stateFile ?? null,
    control: true,
  });
}
afterEach(() => app?.close());

const basic = (secret: string) => ({ authorization: `Basic ${Buffer.from(`id:${secret}`).toString('base64')}` });
const form = { 'content-type': 'application/x-www-form-urlencoded' };

async function upsToken(): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/sim/ups/security/v1/oauth/token',
    headers: { ...form, ...basic('right') },
    payload: 'grant_type=client_credentials',
  });
  return answer.json().access_token;
}

async function askUps(token: string, asked = number) {
  const headers = { authorization: `Bearer ${token}`, transid: '1', transactionsrc: 'test' };
  return app.inject({ url: `/sim/ups/api/track/v1/details/${asked}`, headers });
}

async function fedexToken(): Promise<string> {
  const payload = 'grant_type=client_credentials&client_id=id&client_secret=right';
  return (await app.inject({ method: 'POST', url: '/sim/fedex/oauth/token', headers: form, payload })).json()
    .access_token;
}

async function askFedex(token: string, ...numbers: string[]) {
  const payload = {
    includeDetailedScans: true,
    trackingInfo: numbers.map((trackingNumber) => ({ trackingNumberInfo: { trackingNumber } })),
  };
  return app.inject({
    method: 'POST',
    url: '/sim/fedex/track/v1/trackingnumbers',
    headers: { authorization: `Bearer ${token}` },
    payload,
  });
}

const askDhl = (asked: string, key: string | null = 'key') =>
  app.inject({
    url: `/sim/dhl/track/shipments?trackingNumber=${asked}`,
    headers: key === null ? {} : { 'dhl-api-key': key },
  });

describe('planned parcels', () => {
  it('repeat for the same seed and number, and differ for another seed', () => {
    expect(planParcel('a', 'ups', number)).toEqual(planParcel('a', 'ups', number));
    expect(planParcel('b', 'ups', number)).not.toEqual(planParcel('a', 'ups', number));
    expect(planParcel('a', 'fedex', number).scans).not.toEqual(planParcel('a', 'ups', number).scans);
  });

  it('are announced at GLS with the time of the label, before any scan is known', () => {
    const start = Date.parse('2026-03-20T12:00:00Z');
    const view = parcelAt(planParcel('a', 'gls', '567810000010'), start, start - 1);
    expect(view.scans).toEqual([]);
    expect(renderGlsParcel(view, '567810000010')).toMatchObject({
      status: 'PREADVICE',
      statusDateTime: expect.stringMatching(/^2026-03-2/),
    });
  });

  it('scan in order from the label to a delivery or a return, and cover every variant', () => {
    const seen = new Set<string>();
    for (let index = 0; index < 300; index++) {
      const { scans, variant, promises, goods } = planParcel(
        'seed',
        (['ups', 'fedex', 'dhl'] as const)[index % 3] ?? 'ups',
        String(index),
      );
      seen.add(variant);
      expect(scans[0]?.kind).toBe('label');
      expect(goods.pieces.length > 1).toBe(variant === 'several_pieces');
      for (const piece of goods.pieces.keys()) {
        const last = scans.findLast((scan) => scan.piece === null || scan.piece === piece)?.kind ?? 'label';
        expect([...deliveryKinds, 'returned']).toContain(last);
      }
      for (const [at, scan] of scans.entries()) {
        expect(scan.atMs).toBeGreaterThanOrEqual(scans[at - 1]?.atMs ?? 0);
        expect(scan.reportedMs).toBeGreaterThanOrEqual(scan.atMs);
      }
      const arrived = scans.find((scan) => scan.kind === 'arrived' && scan.final);
      for (const promise of promises)
        expect(promise.timeMs).toBeGreaterThan(arrived === undefined ? 0 : Math.min(arrived.atMs, promise.publishedMs));
    }
    expect([...seen].sort()).toEqual([...variants].sort());
  });
});

describe('names of simulated places', () => {
  const letters = (pattern: RegExp, names: readonly string[]) => names.filter((name) => pattern.test(name)).length;

  it('carry diacritics and letters of other scripts, at parcels and at ports', () => {
    const cities = Array.from({ length: 300 }, (_, index) =>
      (['ups', 'fedex', 'dhl'] as const).flatMap((carrier) => planParcel('seed', carrier, String(index)).scans),
    ).flatMap((scans) => scans.map((scan) => scan.city.name));
    expect(letters(/[à-ž]/, cities)).toBeGreaterThan(50);
    expect(letters(/\p{Script=Han}/u, cities)).toBeGreaterThan(50);
    expect(
      letters(
        /[à-ž]/,
        allPorts.map(({ name }) => name),
      ),
    ).toBeGreaterThan(0);
  });
});

describe('authentication', () => {
  it('UPS rejects a wrong secret, a missing token and an expired one', async () => {
    open();
    const wrong = await app.inject({
      method: 'POST',
      url: '/sim/ups/security/v1/oauth/token',
      headers: { ...form, ...basic('wrong') },
      payload: 'grant_type=client_credentials',
    });
    expect([wrong.statusCode, wrong.json()]).toEqual([
      401,
      { response: { errors: [{ code: '10401', message: 'ClientId is Invalid' }] } },
    ]);
    const token = await upsToken();
    expect((await askUps('nonsense')).statusCode).toBe(401);
    expect((await askUps(await fedexToken())).statusCode).toBe(401);
    expect((await askUps(token)).statusCode).toBe(200);
    clock.ms += 121_000;
    expect((await askUps(token)).json().response.errors[0].code).toBe('250002');
  });

  it('FedEx and DHL reject a wrong secret or key', async () => {
    open();
    const payload = 'grant_type=client_credentials&client_id=id&client_secret=wrong';
    expect(
      (await app.inject({ method: 'POST', url: '/sim/fedex/oauth/token', headers: form, payload })).statusCode,
    ).toBe(401);
    expect(
      (await app.inject({ method: 'POST', url: '/sim/fedex/oauth/token', headers: form, payload: '' })).statusCode,
    ).toBe(400);
    expect((await askFedex('nonsense', '1')).json().errors[0].code).toBe('NOT.AUTHORIZED.ERROR');
    for (const key of [null, 'wrong']) {
      const refused = await askDhl('1234567890', key);
      expect(refused.statusCode).toBe(401);
      expect(refused.headers['content-type']).toContain('application/problem+json');
    }
  });
});

describe('tracking numbers', () => {
  it('with 404 are unknown in the format of each carrier', async () => {
    open();
    const token = await upsToken();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => askUps(token, `1Z404${String(index).padStart(13, '0')}`)),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 404]));
    for (const answer of answers.filter(({ statusCode }) => statusCode === 200))
      expect(answer.json().trackResponse.shipment[0]).toMatchObject({ warnings: [{ code: 'TW0001' }] });
    const both = (await askFedex(await fedexToken(), '794640400007', '794641500007')).json().output
      .completeTrackResults;
    expect(both[0].trackResults[0].error.code).toBe('TRACKING.TRACKINGNUMBER.NOTFOUND');
    expect(both[1].trackResults[0].scanEvents.length).toBeGreaterThan(0);
    const unknown = await askDhl('1234044440');
    expect([unknown.statusCode, Object.keys(unknown.json())]).toEqual([404, ['title', 'status', 'detail', 'instance']]);
  });

  it('are rejected beyond 30 per call', async () => {
    open();
    const token = await fedexToken();
    expect((await askFedex(token, ...Array(30).fill('794641500007'))).statusCode).toBe(200);
    expect((await askFedex(token, ...Array(31).fill('794641500007'))).statusCode).toBe(400);
  });

  it('return the same bytes at the same moment, and survive a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parcels-'));
    const stateFile = join(folder, 'simulator.json');
    open({ stateFile });
    const first = (await askDhl('1234567892')).body;
    await app.close();
    open({ stateFile });
    clock.ms += 40_000;
    const later = (await askDhl('1234567892')).body;
    expect(later.length).toBeGreaterThan(first.length);
    clock.ms -= 40_000;
    expect((await askDhl('1234567892')).body).toBe(first);
    await app.close();
    open();
    clock.ms += 40_000;
    // Without the file, the parcel starts again.
    expect((await askDhl('1234567892')).body).not.toBe(later);
    rmSync(folder, { recursive: true });
  });

  it('complete a fast journey within the time of a voyage', async () => {
    open();
    const statuses: string[] = [];
    for (const seconds of [0, 100]) {
      clock.ms += seconds * 1000;
      const { events } = (await askDhl('1234567892')).json().shipments[0];
      statuses.push(events.length === 0 ? 'none' : events[0].statusCode);
    }
    expect(statuses).toEqual(['none', 'delivered']);
  });
});

describe('the control endpoints', () => {
  it('count, disturb and hold parcel requests too', async () => {
    open();
    const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });
    await post('/control/faults', {
      reference: '1234567897',
      faults: [
        { kind: 'too_many_requests', seconds: 9 },
        { kind: 'html' },
        { kind: 'duplicates' },
        { kind: 'unknown_event_type' },
        { kind: 'time_without_offset' },
        { kind: 'hold' },
      ],
    });
    const limited = await askDhl('1234567897');
    expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '9']);
    expect((await askDhl('1234567897')).body).toContain('<!DOCTYPE html>');
    const doubled = (await askDhl('1234567897')).json().shipments[0].events;
    const strange = (await askDhl('1234567897')).json().shipments[0].events;
    expect(doubled.length).toBe(2 * (strange.length - 1));
    expect(strange[0].statusCode).toBe('lost-in-space');
    for (const { timestamp } of (await askDhl('1234567897')).json().shipments[0].events)
      expect(timestamp).toHaveLength(19);
    const held = askDhl('1234567897').then((answer) => answer);
    await app.inject({ url: '/control/held?atLeast=1' });
    expect((await post('/control/release', { reference: '1234567897' })).json()).toEqual({ released: 1 });
    expect((await held).statusCode).toBe(200);
    expect((await app.inject({ url: '/control/served?reference=1234567897' })).json().served).toBe(6);
  });

  it('set when a number was first requested', async () => {
    open();
    await app.inject({
      method: 'POST',
      url: '/control/first-seen',
      payload: { reference: '1234567892', at: clock.ms - 200_000 },
    });
    expect((await askDhl('1234567892')).json().shipments[0].events[0].statusCode).toBe('delivered');
    const token = await upsToken();
    const before = (await askUps(token)).body;
    await app.inject({
      method: 'POST',
      url: '/control/first-seen',
      payload: { reference: number, at: clock.ms - 3 * 86_400_000 },
    });
    expect((await askUps(token)).body.length).toBeGreaterThan(before.length);
  });
});
