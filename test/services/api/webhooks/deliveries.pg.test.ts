import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { appendEndpointChange } from '#shared/store/feed/changes.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { checkDelivery } from '#test/support/api/openapi-checks.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { deliveryUuid, plantDelivery } from '#test/support/webhooks/plant-delivery.ts';

let api: TestApi;
let key: string;
/** Of two shipments. Each has one change. */
let changes: Json[];

beforeAll(async () => {
  api = await startTestApi();
  key = (await api.createKey({ scopes: ['webhooks:manage', 'shipments:read', 'shipments:write'] })).secret;
  for (let turn = 0; turn < 2; turn++)
    await api.post('/v1/shipments', { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } });
  await sequenceChanges(api.ctx.core);
  changes = (await ask('GET', '/v1/events')).body.data;
});
afterAll(() => api.close());

async function ask(method: string, address: string, body?: unknown): Promise<{ status: number; body: Json }> {
  const answer = await api.request(address, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await jsonOf(answer) };
}

/** The address of a new endpoint. */
async function endpoint(settings: object = {}): Promise<string> {
  const made = await ask('POST', '/v1/webhook-endpoints', { url: 'https://example.com/hooks', ...settings });
  expect(made.status).toBe(201);
  return `/v1/webhook-endpoints/${made.body.webhook_endpoint_id}`;
}

const plant = (at: string, planted: Parameters<typeof plantDelivery>[2] = {}) =>
  plantDelivery(api.ctx.core.store, at.split('/').at(-1) ?? '', planted);

const system = async (text: string, values: unknown[] = []) =>
  (await withSystem(api.ctx.core.store, (tx) => tx.query(text, values))).rows;

/** Every page of a list. */
async function all(address: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await ask('GET', `${address}${cursor && `&cursor=${cursor}`}`);
    expect(status, JSON.stringify(body)).toBe(200);
    ids.push(...body.data.map((one: Json) => one.delivery_id ?? one.replay_id));
    cursor = body.page.next_cursor ?? '';
  } while (cursor !== '');
  return ids;
}

describe('the log of deliveries', () => {
  it('is listed page by page, newest first, by outcome, type, shipment and time', async () => {
    const at = await endpoint();
    const shipmentId = '01890a5d-ac96-774b-bcce-b302099a8057';
    const old = await plant(at, { hoursAgo: 5, sequence: 1, type: 'shipment.delivered' });
    const failed = await plant(at, { hoursAgo: 3, sequence: 2, state: 'exhausted', status: 500 });
    const waiting = await plant(at, { hoursAgo: 2, sequence: 3, state: 'waiting', status: null, error: 'timeout' });
    const own = await plant(at, { sequence: 4, shipmentId });
    const list = (query: string) => all(`${at}/deliveries?limit=1${query}`);
    expect(await list('')).toEqual([own, waiting, failed, old]);
    expect(await list('&outcome=exhausted,waiting')).toEqual([waiting, failed]);
    expect(await list('&outcome=delivered')).toEqual([own, old]);
    expect(await list('&type=shipment.delivered')).toEqual([old]);
    expect(await list('&shipment_id=shp_01kahf3m2xfr5tq4d8z9w6c7yb')).toEqual([]);
    const [{ shipment_id }] = (await ask('GET', `${at}/deliveries?limit=1`)).body.data;
    expect(await list(`&shipment_id=${shipment_id}`)).toEqual([own]);
    const since = new Date(Date.now() - 2.5 * 3_600_000).toISOString();
    expect(await list(`&since=${since}`)).toEqual([own, waiting]);
    const { body } = await ask('GET', `${at}/deliveries?limit=1&outcome=delivered`);
    const other = await ask('GET', `${at}/deliveries?limit=1&cursor=${body.page.next_cursor}`);
    expect(other.body.code).toBe('invalid_cursor');
    expect((await ask('GET', `${at}/deliveries?outcome=lost`)).body.detail).toContain('outcome must be one of');
  });

  it('continues where the search for a rare delivery stopped, so that each page is bounded', async () => {
    const at = await endpoint();
    const rare = await plant(at, { hoursAgo: 1, type: 'shipment.delivered' });
    await system(
      `insert into landfall.webhook_deliveries (account_id, endpoint_id, change_id, type, state, tries)
       select d.account_id, d.endpoint_id, uuidv7(), 'shipment.updated', 'delivered', 1
       from landfall.webhook_deliveries as d, generate_series(1, 10000) where d.id = $1`,
      [deliveryUuid(rare)],
    );
    const first = (await ask('GET', `${at}/deliveries?type=shipment.delivered`)).body;
    expect([first.data, first.page.has_more]).toEqual([[], true]);
    expect(await all(`${at}/deliveries?type=shipment.delivered`)).toEqual([rare]);
  });

  it('shows one with its request, byte for byte, and every try', async () => {
    const at = await endpoint({ headers: { 'x-team': 'ocean' } });
    const [change] = changes;
    const earlier = [
      { at: '2026-04-15T09:30:00.000Z', status: 500, latencyMs: 12, error: null, answer: 'no', traceId: null },
      { at: '2026-04-15T09:30:05.000Z', status: null, latencyMs: 9, error: 'timeout', answer: null, traceId: null },
    ];
    const id = await plant(at, { ...(await idsOf(change)), earlier, answer: 'ok' });
    const { body } = await ask('GET', `${at}/deliveries/${id}`);
    expect(body).toMatchObject({ delivery_id: id, webhook_id: change.id, position: change.position, tries: 3 });
    expect(body.every_try.map((one: Json) => [one.status, one.error, one.detail, one.answer])).toEqual([
      [500, null, 'The receiver responded with 500.', 'no'],
      [null, 'timeout', 'The receiver did not respond in time.', null],
      [200, null, null, 'ok'],
    ]);
    checkDelivery(body.request);
    expect(JSON.parse(body.request.body)).toEqual({ type: change.type, timestamp: change.created_at, data: change });
    expect(body.request.headers).toMatchObject({ 'x-team': '***', 'webhook-id': change.id });
  });

  it.each(['full', 'thin'])('composes the request again with the payload %s', async (payload) => {
    const at = await endpoint({ payload });
    const [change] = changes;
    const id = await plant(at, await idsOf(change));
    const read = async () => {
      const { request } = (await ask('GET', `${at}/deliveries/${id}`)).body;
      checkDelivery(request);
      return request.body;
    };
    const first = JSON.parse(await read());
    expect(await read()).toBe(JSON.stringify(first));
    if (payload === 'thin') {
      const { id: webhookId, position, type } = change;
      const shipmentId = change.data.shipment.shipment_id;
      expect(first.data).toEqual({ id: webhookId, position, type, shipment_id: shipmentId });
    } else expect(first.data.data.shipment).toMatchObject({ ...change.data.shipment, legs: [], events: [] });
  });

  it('is found at its own endpoint only', async () => {
    const [own, other] = [await endpoint(), await endpoint()];
    const id = await plant(own, { sequence: 1 });
    const { replay_id: replayId } = (await ask('POST', `${own}/replay`, { to: 0 })).body;
    for (const [method, address, code] of [
      ['GET', `${other}/deliveries/${id}`, 'webhook_delivery_not_found'],
      ['POST', `${other}/deliveries/${id}/resend`, 'webhook_delivery_not_found'],
      ['GET', `${other}/replays/${replayId}`, 'webhook_replay_not_found'],
      ['POST', `${other}/replays/${replayId}/cancel`, 'webhook_replay_not_found'],
    ] as const) {
      const { status, body } = await ask(method, address);
      expect([status, body.code], address).toEqual([404, code]);
    }
  });

  it('has no request for a change that the feed no longer has', async () => {
    const at = await endpoint();
    const id = await plant(at, { sequence: 1 });
    expect((await ask('GET', `${at}/deliveries/${id}`)).body.request).toBeNull();
  });

  it('makes a delivery due at once, once, and wakes the endpoint', async () => {
    const at = await endpoint();
    const id = await plant(at, { sequence: 1 });
    for (let turn = 0; turn < 2; turn++) {
      const sent = await ask('POST', `${at}/deliveries/${id}/resend`);
      expect(sent.status).toBe(202);
      expect(sent.body).toMatchObject({ delivery_id: id, outcome: 'waiting' });
      expect(Date.parse(sent.body.next_try_at)).toBeLessThanOrEqual(Date.now() + 1000);
    }
    const [row] = await system(
      `select c.retry_at <= now() as is_due, count(*)::integer as deliveries
       from landfall.webhook_deliveries as d
       join landfall.webhook_cursors as c on c.account_id = d.account_id and c.endpoint_id = d.endpoint_id
       where d.id = $1 group by 1`,
      [deliveryUuid(id)],
    );
    expect(row).toEqual({ is_due: true, deliveries: 1 });
    await ask('POST', `${at}/disable`);
    expect((await ask('POST', `${at}/deliveries/${id}/resend`)).body.detail).toBe(
      'The endpoint is disabled. Enable it first.',
    );
  });
});

/** Sequence, id and shipment of a change of the feed, as the log has them. */
async function idsOf(change: Json) {
  const [row] = await withAccount(api.ctx.core.store, api.accountId, async (tx) => {
    const text = 'select id, shipment_id from landfall.changes where sequence = $1';
    return (await tx.query<{ id: string; shipment_id: string }>(text, [change.position])).rows;
  });
  return { sequence: change.position as number, changeId: row?.id ?? '', shipmentId: row?.shipment_id ?? null };
}

describe('statistics', () => {
  it('count outcomes and latencies, in total and by hour, and report the waiting ones', async () => {
    const at = await endpoint();
    expect((await ask('GET', `${at}/stats`)).body).toMatchObject({ delivered: 0, success_rate: null, by_hour: [] });
    for (let turn = 1; turn <= 20; turn++) await plant(at, { latencyMs: turn * 10, hoursAgo: turn % 2 === 0 ? 0 : 2 });
    await plant(at, { state: 'exhausted', status: 500, latencyMs: 9999 });
    await plant(at, { state: 'waiting', status: null, error: 'timeout', latencyMs: 9999, hoursAgo: 1, sequence: 9 });
    await plant(at, { state: 'exhausted', hoursAgo: 30 });
    const { body } = await ask('GET', `${at}/stats`);
    expect(body).toMatchObject({
      hours: 24,
      delivered: 20,
      waiting: 1,
      exhausted: 1,
      success_rate: 0.9091,
      latency_p50_ms: 100,
      latency_p95_ms: 190,
      sample: false,
      backlog: { changes: 0, waiting: 1 },
    });
    expect(Date.parse(body.oldest_undelivered_at)).toBeLessThan(Date.now() - 3_500_000);
    const sums = (field: string) => body.by_hour.reduce((sum: number, one: Json) => sum + one[field], 0);
    expect([sums('delivered'), sums('exhausted'), sums('waiting')]).toEqual([20, 1, 1]);
    expect((await ask('GET', `${at}/stats?hours=48`)).body.exhausted).toBe(2);

    const { by_hour: _hours, backlog: _backlog, oldest_undelivered_at: _oldest, object: _object, ...recent } = body;
    const list = (await ask('GET', '/v1/webhook-endpoints?include=stats&limit=100')).body.data;
    const listed = list.find((one: Json) => at.endsWith(one.webhook_endpoint_id));
    expect(listed.stats).toEqual(recent);
    expect(list.every((one: Json) => one.stats.hours === 24)).toBe(true);
    const plain = (await ask('GET', '/v1/webhook-endpoints')).body.data;
    expect(plain.some((one: Json) => 'stats' in one)).toBe(false);
    expect((await ask('GET', '/v1/webhook-endpoints?include=other')).status).toBe(400);
    expect((await ask('GET', `${at}/stats?hours=169`)).status).toBe(400);
  });
});

describe('a replay', () => {
  it('takes positions or times, one at a time, and is cancelled or done', async () => {
    const at = await endpoint();
    const [first, last] = [changes[0].position, changes.at(-1).position];
    const started = await ask('POST', `${at}/replay`, { failed_only: true });
    expect(started.status).toBe(202);
    expect(started.body).toMatchObject({
      from_position: first,
      to_position: last,
      failed_only: true,
      position: first - 1,
      queued: 0,
      progress: 0,
      state: 'running',
    });
    expect((await ask('POST', `${at}/replay`)).body).toMatchObject({ code: 'invalid_state' });
    const own = `${at}/replays/${started.body.replay_id}`;
    await system(`update landfall.webhook_replays set sequence = $1, queued = 1 where state = 'running'`, [first]);
    expect((await ask('GET', own)).body).toMatchObject({ position: first, queued: 1, progress: 0.5 });
    expect((await ask('POST', `${own}/cancel`)).body).toMatchObject({ state: 'cancelled', progress: 0.5 });
    expect((await ask('POST', `${own}/cancel`)).body.state).toBe('cancelled');

    const rangeOf = async (body: object) => {
      const { status, body: replay } = await ask('POST', `${at}/replay`, body);
      expect(status, JSON.stringify(replay)).toBe(202);
      await ask('POST', `${at}/replays/${replay.replay_id}/cancel`);
      return [replay.from_position, replay.to_position, replay.state];
    };
    expect(await rangeOf({ from: last })).toEqual([last, last, 'running']);
    expect(await rangeOf({ to: first })).toEqual([first, first, 'running']);
    expect(await rangeOf({ from: changes[1].created_at })).toEqual([last, last, 'running']);
    expect(await rangeOf({ to: changes[0].created_at })).toEqual([first, first, 'running']);
    expect(await rangeOf({ from: '2020-01-01', to: '2120-01-01' })).toEqual([first, last, 'running']);
    expect((await rangeOf({ from: '2119-01-01' }))[2]).toBe('done');
    expect((await rangeOf({ from: '2020-01-01', to: '2020-01-02' }))[2]).toBe('done');
    expect((await all(`${at}/replays?limit=3`)).length).toBe(8);
  });

  it('refuses a range that ends before it begins, in words', async () => {
    const at = await endpoint();
    for (const body of [
      { from: 9, to: 3 },
      { from: '2026-04-15T09:00:00Z', to: '2026-04-15T08:00:00Z' },
    ]) {
      const { status, body: problem } = await ask('POST', `${at}/replay`, body);
      expect([status, problem.detail]).toEqual([400, 'to is before from.']);
    }
    const { body } = await ask('POST', `${at}/replay`, { from: 'yesterday' });
    expect(body.detail).toBe(
      'from must be a position (an integer from 0), a date (2026-04-15) or a time with an offset.',
    );
  });
});

it('reports in the feed that an endpoint was disabled, without a shipment', async () => {
  const at = await endpoint({ payload: 'full', description: 'Warehouse' });
  const endpointId = at.split('/').at(-1) ?? '';
  const [{ id }] = (await system('select id from landfall.webhook_endpoints where description = $1', [
    'Warehouse',
  ])) as Json;
  const reported = { id, url: 'https://example.com/hooks', description: 'Warehouse', reason: 'failing' } as const;
  await withSystem(api.ctx.core.store, (tx) =>
    appendEndpointChange(tx, api.accountId, { test: false, data: { webhookEndpoint: reported }, traceparent: null }),
  );
  await sequenceChanges(api.ctx.core);
  const [change] = (await ask('GET', '/v1/events?type=webhook.disabled')).body.data;
  expect(change.data).toEqual({
    webhook_endpoint: {
      webhook_endpoint_id: endpointId,
      url: 'https://example.com/hooks',
      description: 'Warehouse',
      reason: 'failing',
    },
  });
  const whole = (await ask('GET', `/v1/events?after=${changes.at(-1).position}`)).body.data;
  expect(whole.map((one: Json) => one.type)).toEqual(['webhook.disabled']);
  const delivery = await plant(at, { ...(await idsOf(change)), type: 'webhook.disabled' });
  const { body } = await ask('GET', `${at}/deliveries/${delivery}`);
  checkDelivery(body.request);
  expect(JSON.parse(body.request.body).data).toEqual(change);
});
