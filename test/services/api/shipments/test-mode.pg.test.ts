import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refreshShipments } from '#services/worker/refresh/consume.ts';
import { openRefreshBatchers } from '#services/worker/refresh/record.ts';
import { lastTestStep, testNumbers } from '#shared/domain/test-journeys/test-journeys.ts';
import { claimDue } from '#shared/store/system/tracking/claim-due.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

let api: TestApi;
let testKey: string;

beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
  testKey = (await api.createKey({ test: true })).secret;
});
afterAll(() => api.close());

async function send(
  method: string,
  path: string,
  options: { body?: unknown; key?: string } = {},
): Promise<{ status: number; body: Json }> {
  const answer = await api.request(path, {
    method,
    headers: {
      authorization: `Bearer ${options.key ?? testKey}`,
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await answer.clone().text();
  return { status: answer.status, body: text === '' ? null : await jsonOf(answer) };
}

let suffix = 0;

/** Registers a number of its own type, in a mode and with a carrier of any other. */
async function register(number: string, changes: Json = {}): Promise<Json> {
  suffix += 1;
  const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: `${number}-${suffix}` }, ...changes };
  const { status, body: record } = await send('POST', '/v1/shipments', { body });
  expect(status, JSON.stringify(record)).toBe(201);
  return record;
}

/** Refreshes everything that is due, as the worker does, until this shipment has been refreshed again. */
async function awaitRefresh(record: Json): Promise<Json> {
  const refresh = {
    core: api.ctx.core,
    pressureOf: () => 1,
    batchers: openRefreshBatchers(api.ctx.core),
  } as unknown as Parameters<typeof refreshShipments>[0];
  return until(
    async () => {
      const claims = await withSystem(api.ctx.core.store, (tx) => claimDue(tx, 'test', { limit: 100, leaseS: 60 }));
      await refreshShipments(refresh, { connector: 'test', items: claims }, new AbortController().signal);
      return (await send('GET', `/v1/shipments/${record.shipment_id}`)).body;
    },
    (now) =>
      now.tracking.last_refreshed_at !== null && now.tracking.last_refreshed_at !== record.tracking.last_refreshed_at,
  );
}

const advance = (record: Json, body?: unknown, key = testKey) =>
  send('POST', `/v1/test/shipments/${record.shipment_id}/advance`, { body, key });

describe('a test number', () => {
  it.each([
    ['TEST-PENDING', { status: 'pending', tracking: { state: 'active' } }],
    ['TEST-DELIVERED', { status: 'delivered', tracking: { source: 'test', freshness: 'fresh' } }],
    [
      'TEST-NOT-FOUND',
      {
        status: 'pending',
        tracking: { state: 'awaiting_carrier', reason: 'carrier_not_found_yet', freshness: 'never' },
      },
    ],
    ['TEST-CARRIER-DOWN', { status: 'pending', tracking: { reason: 'carrier_unreachable', consecutive_failures: 1 } }],
    ['TEST-STALE', { status: 'in_transit', tracking: { state: 'active', freshness: 'stale' } }],
    [
      'TEST-POD',
      { status: 'delivered', delivery: { received_by: 'J. Miller', proof: [{ id: 'signature' }, { id: 'photo' }] } },
    ],
    ['TEST-WINDOW', { status: 'out_for_delivery', delivery: { window: { from: expect.anything() } } }],
    ['TEST-CANCELLED', { status: 'cancelled', tracking: { state: 'stopped', reason: 'booking_cancelled' } }],
    [
      'TEST-MULTI-CONTAINER',
      { status: 'in_transit', container_status_counts: { delivered: 1, arrived: 1, in_transit: 1 } },
    ],
  ])('%s shows its outcome', async (number, shown) => {
    const record = await awaitRefresh(await register(number));
    expect(record).toMatchObject({ ...shown, test: true });
    for (const event of record.events) expect(event.source).toBe('test');
  });

  it('is valid in a mode and with a carrier that no connector tracks', async () => {
    const rail = { transport_mode: 'rail', carrier: 'BNSF', identifiers: { railcar: 'TEST-ARRIVED' } };
    expect(await awaitRefresh(await register('', rail))).toMatchObject({ status: 'arrived', carrier: 'BNSF' });
  });

  it('is rejected with the list if it is unknown', async () => {
    const { status, body } = await send('POST', '/v1/shipments', {
      body: { transport_mode: 'parcel', carrier: 'ups', identifiers: { tracking_number: 'TEST-DELIVERD' } },
    });
    expect(status).toBe(400);
    expect(body.detail).toContain('TEST-JOURNEY');
    expect(body.detail).toContain('Did you mean TEST-DELIVERED?');
  });

  it('is rejected under a live key with a suggestion', async () => {
    const { status, body } = await send('POST', '/v1/shipments', {
      key: api.key,
      body: { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'TEST-DELIVERED' } },
    });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ pointer: '/identifiers/mbl', code: 'live_key_not_allowed' }]);
    expect(body.detail).toContain('svc_test_');
  });

  it('hides its shipment from a live key', async () => {
    const record = await register('TEST-BOOKED');
    expect((await send('GET', `/v1/shipments/${record.shipment_id}`, { key: api.key })).status).toBe(404);
  });
});

describe('advancing', () => {
  it('steps through the whole journey, one event per step', async () => {
    let record = await awaitRefresh(await register('TEST-JOURNEY'));
    const seen = [record.status];
    const last = lastTestStep('TEST-JOURNEY', 'ocean');
    for (let step = 0; step < last; ) {
      const steps = Math.min(4, last - step);
      const answer = await advance(record, { steps });
      expect(answer.status).toBe(202);
      step += steps;
      record = await awaitRefresh(answer.body);
      expect(record.events.filter((event: Json) => event.classifier === 'actual')).toHaveLength(step);
      seen.push(record.status);
    }
    expect(seen).toEqual(['pending', 'in_transit', 'in_transit', 'arrived', 'delivered']);
    expect(record.tracking.state).toBe('completed');
    expect(await advance(record)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });

  it('shows what happens to the pieces of a parcel, step by step', async () => {
    const parcel = { transport_mode: 'parcel', carrier: 'ups', identifiers: { tracking_number: 'TEST-MULTI-PIECE' } };
    let record = await awaitRefresh(await register('', parcel));
    const statuses = () => record.pieces.map((piece: Json) => piece.status);
    expect([record.status, record.pieces_count, statuses()]).toEqual([
      'out_for_delivery',
      3,
      Array(3).fill('out_for_delivery'),
    ]);
    const steps = [
      ['failed', 'out_for_delivery', 'out_for_delivery'],
      ['failed', 'available_for_pickup', 'out_for_delivery'],
      ['failed', 'available_for_pickup', 'out_for_delivery'],
    ];
    for (const expected of steps) {
      record = await awaitRefresh((await advance(record)).body);
      expect(statuses()).toEqual(expected);
    }
    expect(record.pieces.map((piece: Json) => piece.status_detail)).toEqual([
      'lost',
      'awaiting_collection_at_locker',
      'refused',
    ]);
    expect(record.pickup_point).toMatchObject({ kind: 'locker', name: 'Test Locker 117' });
    expect((await advance(record)).status).toBe(409);
  });

  it('collects a parcel from a locker, and returns a refused one', async () => {
    const parcel = (number: string) => ({
      transport_mode: 'parcel',
      carrier: 'dhl',
      identifiers: { tracking_number: number },
    });
    const [locker, refused] = await Promise.all(
      ['TEST-LOCKER', 'TEST-RETURN'].map(async (number) => awaitRefresh(await register('', parcel(number)))),
    );
    const waiting = await awaitRefresh((await advance(locker)).body);
    expect(waiting).toMatchObject({ status: 'available_for_pickup', pickup_point: { kept_until: expect.anything() } });
    expect(await awaitRefresh((await advance(waiting)).body)).toMatchObject({ status: 'delivered' });
    expect(refused).toMatchObject({ status_detail: 'refused', delivery: { attempts: 1 } });
    expect(await awaitRefresh((await advance(refused, { steps: 2 })).body)).toMatchObject({
      status: 'returned',
      return: { reason: 'Refused by the recipient', completed_at: expect.anything() },
    });
  });

  it('takes several steps at once, and stops at the end', async () => {
    const record = await awaitRefresh(await register('TEST-CUSTOMS-HOLD'));
    expect(record).toMatchObject({ has_exception: true, exceptions: [{ code: 'customs_hold' }] });
    const released = await awaitRefresh((await advance(record, { steps: 20 })).body);
    expect(released).toMatchObject({
      has_exception: false,
      exceptions: [{ code: 'customs_hold', resolved_at: expect.any(String) }],
    });
    const after = await advance(released);
    expect(after).toMatchObject({ status: 409, body: { detail: expect.stringContaining('has ended') } });
  });

  it.each(['TEST-NOT-FOUND', 'TEST-CARRIER-DOWN', 'TEST-STALE'] as const)('reactivates %s', async (number) => {
    const record = await awaitRefresh(await register(number));
    const found = await awaitRefresh((await advance(record)).body);
    expect(found.tracking).toMatchObject({
      state: 'active',
      reason: null,
      freshness: 'fresh',
      consecutive_failures: 0,
    });
  });

  it('rejects a number with a single outcome', async () => {
    const record = await register('TEST-DELIVERED');
    expect(await advance(record)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state', detail: expect.stringContaining('does not advance') },
    });
  });

  it('simulates any number that a test key registers', async () => {
    const record = await awaitRefresh(await register('', { identifiers: { mbl: 'MAEU555666777' } }));
    expect(record.status).toBe('pending');
    expect(await awaitRefresh((await advance(record)).body)).toMatchObject({ status: 'booked' });
  });

  it('counts two concurrent calls as two', async () => {
    const record = await awaitRefresh(await register('TEST-JOURNEY'));
    const answers = await Promise.all([advance(record), advance(record)]);
    expect(answers.map((answer) => answer.status)).toEqual([202, 202]);
    const moved = await awaitRefresh(record);
    expect(moved.events.filter((event: Json) => event.classifier === 'actual')).toHaveLength(2);
  });

  it.each([
    [{ steps: 0 }, 'validation_failed'],
    [{ steps: 21 }, 'validation_failed'],
    [{ steps: '2' }, 'validation_failed'],
    [{ step: 2 }, 'unknown_field'],
  ])('rejects %j', async (body, code) => {
    expect(await advance(await register('TEST-JOURNEY'), body)).toMatchObject({ status: 400, body: { code } });
  });

  it('requires a test key and an existing test shipment', async () => {
    const record = await register('TEST-JOURNEY');
    expect(await advance(record, undefined, api.key)).toMatchObject({
      status: 403,
      body: { code: 'live_key_not_allowed' },
    });
    expect(await advance({ shipment_id: 'shp_nothing' })).toMatchObject({ status: 404 });
    const live = await send('POST', '/v1/shipments', {
      key: api.key,
      body: { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU999888777' } },
    });
    expect(await advance(live.body)).toMatchObject({ status: 404, body: { code: 'shipment_not_found' } });
    await send('POST', `/v1/shipments/${record.shipment_id}/stop`);
    expect(await advance(record)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });
});

it('documents every test number', async () => {
  const { paths } = await jsonOf(await fetch(`${api.url}/docs/openapi.json`));
  const { description } = paths['/v1/test/shipments/{shipment_id}/advance'].post;
  for (const number of testNumbers) expect(description).toContain(number);
});
