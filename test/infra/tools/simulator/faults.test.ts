import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFaultDice, randomFaultKinds } from '#infra/tools/simulator/faults/fault-dice.ts';
import { buildSimulator } from '#infra/tools/simulator/server.ts';
import { connectorCodes } from '#shared/domain/carriers/known-connectors.ts';
import { patienceMs } from '#test/support/until.ts';

let clockMs = 0;
let app: FastifyInstance;
let close = async (): Promise<void> => undefined;

function open(faultRate = 0): FastifyInstance {
  app = buildSimulator({ seed: 'faults', now: () => clockMs, voyageS: 50, stateFile: null, control: true, faultRate });
  close = () => app.close();
  return app;
}

beforeEach(() => {
  clockMs = Date.parse('2026-03-20T12:00:00Z');
});
afterEach(async () => {
  await close();
  close = async () => undefined;
});

const dhl = (number: string) =>
  app.inject({ url: `/sim/dhl/track/shipments?trackingNumber=${number}`, headers: { 'dhl-api-key': 'key' } });
const plain = (number: string) =>
  app.inject({ url: '/sim/dcsa/v2/events', query: { transportDocumentReference: number, limit: '1000' } });
const control = (path: string, payload: object) => app.inject({ method: 'POST', url: `/control/${path}`, payload });

describe('random faults', () => {
  it('match the rate, include every kind, and repeat for the same seed', () => {
    const throws = (seed: string) => {
      const dice = createFaultDice(seed, 0.05);
      return Array.from(
        { length: 8000 },
        (_, index) => dice.throw('/sim/dhl/track/shipments', [String(index % 400)])?.kind ?? null,
      );
    };
    const one = throws('one');
    const share = one.filter((kind) => kind !== null).length / one.length;
    expect(share).toBeGreaterThan(0.04);
    expect(share).toBeLessThan(0.06);
    expect(new Set(one.filter((kind) => kind !== null))).toEqual(new Set(randomFaultKinds));
    expect(throws('one')).toEqual(one);
    expect(throws('another')).not.toEqual(one);
  });

  it('affect data and token requests alike, and stop at rate zero', async () => {
    open(1);
    await control('fault-rate', { rate: 1, kinds: ['html'] });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const signIn = await app.inject({
      method: 'POST',
      url: '/sim/cma-cgm/as/token.oauth2',
      headers: form,
      payload: 'client_id=me',
    });
    expect([signIn.statusCode, signIn.body.slice(0, 9)]).toEqual([200, '<!DOCTYPE']);
    expect((await dhl('1234567890')).headers['content-type']).toContain('text/html');
    await control('fault-rate', { rate: 0 });
    expect((await dhl('1234567890')).json().shipments).toHaveLength(1);
  });
});

describe('scripted faults', () => {
  it('apply only to a path when one is given, with faults for a number first', async () => {
    open();
    await control('faults', { path: '/sim/fedex', faults: [{ kind: 'html' }] });
    await control('faults', { faults: [{ kind: 'status', status: 502 }] });
    await control('faults', { reference: '1234567890', faults: [{ kind: 'status', status: 503 }] });
    expect((await dhl('1234567890')).statusCode).toBe(503);
    expect((await dhl('1234567890')).statusCode).toBe(502);
    expect((await dhl('1234567890')).statusCode).toBe(200);
    expect((await app.inject({ method: 'POST', url: '/sim/fedex/oauth/token' })).body).toContain('<html>');
  });

  it('invalidate every token, or change the secret for two calls', async () => {
    open();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = 'grant_type=client_credentials&client_id=me&client_secret=right';
    const signIn = async () =>
      await app.inject({ method: 'POST', url: '/sim/one-record/oauth/token', headers: form, payload });
    const ask = async (token: string) =>
      await app.inject({
        url: '/sim/one-record/logistics-objects/waybill-157-00000012/logistics-events',
        headers: { authorization: `Bearer ${token}` },
      });
    const token = (await signIn()).json().access_token;
    await control('faults', { reference: '15700000012', faults: [{ kind: 'token_expired' }] });
    expect([(await ask(token)).statusCode, (await ask(token)).statusCode]).toEqual([200, 401]);
    const next = (await signIn()).json().access_token;
    expect((await ask(next)).statusCode).toBe(200);
    await control('faults', { reference: '15700000012', faults: [{ kind: 'secret_changed' }] });
    expect([(await ask(next)).statusCode, (await signIn()).statusCode, (await signIn()).statusCode]).toEqual([
      401, 401, 200,
    ]);
  });

  it.each([
    ['shared_event_id', 1],
    ['missing_event_id', 0],
  ])('%s', async (kind, ids) => {
    open();
    await control('faults', { reference: 'ONEY7654320', faults: [{ kind }] });
    const events: { eventID?: string }[] = (await plain('ONEY7654320')).json();
    expect(events.length).toBeGreaterThan(2);
    expect(new Set(events.flatMap(({ eventID }) => eventID ?? [])).size).toBe(ids);
  });

  it('number_for_string, empty_strings and local_time_stamped_utc change only the fields that they name', async () => {
    open();
    const good = (await plain('ONEY7654320')).json();
    for (const kind of ['number_for_string', 'empty_strings', 'local_time_stamped_utc']) {
      await control('faults', { reference: 'ONEY7654320', faults: [{ kind }] });
    }
    const [numbers, empty, stamped] = [
      (await plain('ONEY7654320')).json(),
      (await plain('ONEY7654320')).json(),
      (await plain('ONEY7654320')).json(),
    ];
    const sailing = (events: typeof good) =>
      events.find((event: { eventType: string }) => event.eventType === 'TRANSPORT');
    expect(sailing(numbers).transportCall.vessel.vesselIMONumber).toBe(
      Number(sailing(good).transportCall.vessel.vesselIMONumber),
    );
    expect(sailing(empty)).toMatchObject({
      eventDateTime: sailing(good).eventDateTime,
      transportCall: { UNLocationCode: '' },
    });
    expect(sailing(stamped).eventDateTime).toBe(`${sailing(good).eventDateTime.slice(0, 19)}Z`);
  });
});

it('never_ending sends no body for HEAD', async () => {
  const url = await open().listen({ host: '127.0.0.1', port: 0 });
  await control('faults', { path: '/sim/dhl', faults: [{ kind: 'endless_body' }] });
  const head = await fetch(`${url}/sim/dhl/track/shipments?trackingNumber=1234567890`, {
    method: 'HEAD',
    signal: AbortSignal.timeout(patienceMs),
  });
  expect([head.status, await head.text()]).toEqual([401, '']);
});

describe('the served log', () => {
  it('counts calls by connector, status, credential, minute and number of references', async () => {
    open();
    await control('faults', { reference: '1234567890', faults: [{ kind: 'status', status: 503 }] });
    await dhl('1234567890');
    await dhl('1234567890');
    clockMs += 60_000;
    await app.inject({ url: '/sim/dhl/track/shipments?trackingNumber=1234567891' });
    const { connectors } = (await app.inject({ url: '/' })).json();
    const found = connectors.find((each: { connector: string }) => each.connector === 'dhl');
    expect((await app.inject({ url: '/control/served' })).json().byConnector.dhl).toEqual(found.served);
    expect(found.served).toEqual({
      calls: 3,
      byKind: { events: 3 },
      byStatus: { 200: 1, 401: 1, 503: 1 },
      byFault: { status: 1 },
      byCredential: { key: 2, anonymous: 1 },
      byMinute: { '2026-03-20T12:00Z': 2, '2026-03-20T12:01Z': 1 },
      byNumbersOfCall: { 1: 3 },
    });
  });

  it('lists the events of fault-free responses next to the current truth of a number', async () => {
    open();
    const served = async () =>
      (await app.inject({ url: '/control/served?number=ONEY7654320' })).json().byConnector.dcsa;
    await plain('ONEY7654320');
    const first = await served();
    expect(first.shown).toEqual(first.truth.events);
    expect(first.truth.status).toBe('booked');
    clockMs += 25_000;
    await control('faults', { reference: 'ONEY7654320', faults: [{ kind: 'vanished_event' }] });
    await plain('ONEY7654320');
    const second = await served();
    expect(second.shown).toEqual(first.shown);
    expect(second.truth.events.length).toBeGreaterThan(first.shown.length);
    clockMs += 30_000;
    await plain('ONEY7654320');
    const last = await served();
    expect(last).toMatchObject({
      calls: 3,
      byStatus: { 200: 3 },
      byFault: { vanished_event: 1 },
      truth: { status: 'delivered' },
    });
    expect(new Set(last.shown.map((event: object) => JSON.stringify(event)))).toEqual(
      new Set(last.truth.events.map((event: object) => JSON.stringify(event))),
    );
  });

  it('appears on a page with example numbers for every connector', async () => {
    open();
    const { connectors } = (await app.inject({ url: '/' })).json();
    expect(connectors).toHaveLength(connectorCodes.length);
    for (const { connector, paths, examples } of connectors) {
      expect(paths.length, connector).toBeGreaterThan(0);
      expect(Object.keys(examples).length, connector).toBeGreaterThan(3);
    }
    const maersk = connectors.find((each: { connector: string }) => each.connector === 'maersk');
    expect(Object.keys(maersk.examples)).toEqual(
      expect.arrayContaining([
        'direct',
        'one transshipment',
        'two transshipments',
        'rolled',
        'port omission',
        'customs hold',
        'inspection',
      ]),
    );
    const page = await app.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain(maersk.examples.rolled);
  });
});
