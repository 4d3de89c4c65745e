import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { wireChange } from '#shared/contract/feed/change-wire.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { revokeApiKey } from '#shared/core/keys/revoke-api-key.ts';
import { scopes } from '#shared/domain/caller.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { deleteMember } from '#shared/store/auth/members.ts';
import { withAuth } from '#shared/store/with-account.ts';
import { type Json, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { type EventStream, openEventStream, type StreamRequest } from '#test/support/api/event-stream.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

let api: TestApi;
const open: EventStream[] = [];
let numbers = 500_000_000;

beforeAll(async () => {
  api = await startTestApi(
    { MAX_STREAMS_PER_KEY: '6', MAX_CONNECTIONS_PER_ADDRESS: '12' },
    { openDatabase: ownDatabase },
  );
});
afterEach(async () => {
  for (const stream of open.splice(0)) stream.close();
  await until(
    async () => api.ctx.streams.count(),
    (count) => count === 0,
  );
});
afterAll(() => api.close());

it('sends each change once as it gets its position, in the form of the list', async () => {
  const stream = await follow();
  expect([stream.status, stream.headers['content-type'], stream.headers['cache-control']]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
    'no-store, no-transform',
  ]);
  const registered = [await register(), await register()];
  await arrived(stream, 2);
  const listed = await list();
  expect(stream.events().map(({ data }) => data)).toEqual(listed.slice(-2));
  for (const { id, event, data } of stream.events()) {
    expect(wireChange.parse(data)).toEqual(data);
    expect([id, event]).toEqual([String(data.position), data.type]);
  }
  expect(stream.events().map(({ data }) => data.data.shipment.shipment_id)).toEqual(registered);
});

it('names its position at once, and continues after it without a gap or a repeat', async () => {
  const first = await follow();
  await until(
    async () => first.lastId(),
    (id) => id !== null,
  );
  const start = first.lastId();
  first.close();
  const missed = [await register(), await register(), await register()];
  const second = await follow('', { headers: { 'last-event-id': start ?? '' } });
  await arrived(second, 3);
  const later = await register();
  await arrived(second, 4);
  expect(second.events().map(({ data }) => data.data.shipment.shipment_id)).toEqual([...missed, later]);
  const third = await follow(`?after=${start}`);
  await arrived(third, 4);
  expect(third.events()).toEqual(second.events());
  // The header of a reconnecting client takes precedence over the address it was opened with.
  const fourth = await follow(`?after=${start}`, { headers: { 'last-event-id': String(second.events()[2]?.id) } });
  await arrived(fourth, 1);
  expect(fourth.events().map(({ id }) => id)).toEqual([second.events()[3]?.id]);
});

it('filters like the list', async () => {
  const id = await register();
  const others = await Promise.all([
    follow(`?shipment_id=${id}`),
    follow('?type=shipment.updated'),
    follow('?event_codes=arrived'),
  ]);
  const all = await follow();
  await register();
  await api.request(`/v1/shipments/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reference: 'moved' }),
  });
  await position();
  await arrived(all, 2);
  const [ofShipment, updated, arrivals] = others as [EventStream, EventStream, EventStream];
  await arrived(ofShipment, 1);
  await arrived(updated, 1);
  const last = all.events()[1];
  expect(ofShipment.events()).toEqual([last]);
  expect(updated.events()).toEqual([last]);
  expect(arrivals.events()).toEqual([]);
  // The same streams, resumed from the start of these changes, get the same.
  const from = { headers: { 'last-event-id': String(Number(all.events()[0]?.id) - 1) } };
  all.close();
  arrivals.close();
  const again = await follow('?type=shipment.updated', from);
  await arrived(again, 1);
  expect(again.events()).toEqual([last]);
});

it('keeps test and live changes and accounts apart', async () => {
  const { secret: key } = await api.createKey({ test: true });
  const [live, test] = [await follow(), await follow('', { key })];
  const tried = await register({ key, mbl: 'TEST-BOOKED' });
  const real = await register();
  await arrived(live, 1);
  await arrived(test, 1);
  expect(live.events().map(({ data }) => data.data.shipment.shipment_id)).toEqual([real]);
  expect(test.events().map(({ data }) => data.data.shipment.shipment_id)).toEqual([tried]);
});

it('reports where the stream continues to a client that has missed deleted changes', async () => {
  await register();
  const last = (await list()).at(-1)?.position as number;
  const since = { headers: { 'last-event-id': String(last - 1) } };
  await api.ctx.core.store.system.query(`update landfall.account_feeds set removed = given`);
  await api.ctx.core.store.system.query(`delete from landfall.changes`);
  const stream = await follow('', since);
  await arrived(stream, 1);
  const added = await register();
  await arrived(stream, 2);
  const [gap, change] = stream.events();
  expect(gap).toMatchObject({ id: String(last), event: 'feed.gap', data: { after: last - 1, next_after: last } });
  expect(change?.data.data.shipment.shipment_id).toBe(added);
});

it.each([
  ['?after=999999999', {}, 400, '?after'],
  ['?after=-1', {}, 400, '?after'],
  ['?limit=5', {}, 400, '?limit'],
  ['', { 'last-event-id': 'chg_01' }, 400, 'header:Last-Event-ID'],
])('refuses %s with %j before it opens a stream', async (query, headers, status, pointer) => {
  const answer = await api.request(`/v1/events/stream${query}`, { headers });
  expect(answer.status).toBe(status);
  expect(((await answer.json()) as Json).errors[0].pointer).toBe(pointer);
});

it('accepts a key in the Authorization header only, and only one that may read shipments', async () => {
  const inAddress = await fetch(`${api.url}/v1/events/stream?api_key=${api.key}`);
  expect(inAddress.status).toBe(401);
  const { secret } = await api.createKey({ scopes: ['shipments:write'] });
  const answer = await fetch(`${api.url}/v1/events/stream`, { headers: { authorization: `Bearer ${secret}` } });
  expect(answer.status).toBe(403);
});

it('ends a stream when its key is revoked', async () => {
  const { id, secret } = await api.createKey();
  const [stream, other] = [await follow('', { key: secret }), await follow()];
  const caller = {
    ...{ accountId: api.accountId, keyId: null, scopes, test: false },
    ...{ requestId: 'req_test', idempotency: null },
  };
  await revokeApiKey(api.ctx.core, caller, id);
  await stream.ended;
  const again = await fetch(`${api.url}/v1/events/stream`, { headers: { authorization: `Bearer ${secret}` } });
  expect(again.status).toBe(401);
  await register();
  await arrived(other, 1);
});

it('ends a dashboard’s stream when its session or its membership ends', async () => {
  const [leaving, removed] = [await signedIn(api, 'viewer', 'people'), await signedIn(api, 'viewer', 'people')];
  const [ofLeaving, ofRemoved, other] = [await watch(leaving), await watch(removed), await follow()];
  expect([ofLeaving.status, ofRemoved.status, other.status]).toEqual([200, 200, 200]);
  await leaving.ask('/dashboard/api/auth/sign-out', { body: {} });
  await withAuth(api.ctx.core.store, (tx) =>
    deleteMember(tx, removed.accountId, decodeTypeId('user', removed.userId) ?? ''),
  );
  await Promise.all([ofLeaving.ended, ofRemoved.ended]);
  await until(
    async () => api.ctx.streams.count(),
    (count) => count === 1,
  );
});

it('reads a new change once for all streams of an account', async () => {
  const streams = [await follow(), await follow(), await follow('?type=shipment.created'), await follow()];
  await until(
    async () => streams.at(-1)?.lastId() ?? null,
    (id) => id !== null,
  );
  const reading = vi.spyOn(api.ctx.core.store.reads, 'connect');
  let changes = 0;
  const readings = async (): Promise<number> => {
    changes += 1;
    reading.mockClear();
    await register();
    for (const stream of streams) await arrived(stream, changes);
    return reading.mock.calls.length;
  };
  // Looks for missed notifications may come between, one a second.
  await until(readings, (count) => count < streams.length);
  reading.mockRestore();
});

it('sends changes although the connection for notifications is lost', async () => {
  const stream = await follow();
  await register();
  await arrived(stream, 1);
  const owner = new pg.Client({ connectionString: api.databaseUrl });
  await owner.connect();
  // The change may have been found before the connection was open.
  await until(
    () =>
      owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'landfall-api-feed' and datname = current_database()`,
      ),
    ({ rowCount }) => rowCount === 1,
  );
  await owner.end();
  await register();
  await arrived(stream, 2);
});

it('sends changes although no notification ever arrives, as behind a pooler', async () => {
  const query = pg.Client.prototype.query as (...of: unknown[]) => unknown;
  let listened = 0;
  const pooled = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...of: unknown[]
  ) {
    if (of[0] !== 'listen landfall_feed') return query.apply(this, of);
    listened += 1;
    return Promise.resolve();
  });
  const other = await startTestApi({ DATABASE_URL: api.serviceUrl });
  try {
    const stream = await openEventStream(`${other.url}/v1/events/stream`, { key: api.key });
    await until(
      async () => listened,
      (count) => count > 0,
    );
    let changes = 0;
    const connectedMeanwhile = async (): Promise<number> => {
      const before = listened;
      const id = await register();
      changes += 1;
      await arrived(stream, changes);
      expect(stream.events().at(-1)?.data.data.shipment.shipment_id).toBe(id);
      return listened - before;
    };
    // It connects again every few seconds, which makes it look for changes, too.
    await until(connectedMeanwhile, (count) => count === 0);
    stream.close();
  } finally {
    pooled.mockRestore();
    await other.close();
  }
});

it('reports where the stream continues to a client that was ahead of a restored backup', async () => {
  await register();
  const ahead = (await list()).at(-1)?.position as number;
  const { system } = api.ctx.core.store;
  await system.query('delete from landfall.changes where sequence >= $1', [ahead - 1]);
  await system.query('update landfall.account_feeds set given = $1, removed = least(removed, $1)', [ahead - 2]);
  await system.query('select landfall.start_feed_generation()');
  const stream = await follow('', { headers: { 'last-event-id': String(ahead) } });
  const added = await register();
  await arrived(stream, 2);
  const [gap, change] = stream.events();
  expect(gap).toMatchObject({ event: 'feed.gap', data: { after: ahead } });
  expect(Number(gap?.id)).toBeGreaterThan(ahead);
  expect(change?.data.data.shipment.shipment_id).toBe(added);
  const again = await follow('', { headers: { 'last-event-id': gap?.id ?? '' } });
  await arrived(again, 1);
  expect(again.events()).toEqual([change]);
});

it('limits how many streams a key may have open, apart from the limits of connections', async () => {
  // More than the address may have connections, by two keys.
  const { secret: second } = await api.createKey();
  const { secret: third } = await api.createKey();
  const keys = [api.key, second, third];
  const streams: EventStream[] = [];
  for (const key of keys) for (let n = 0; n < 6; n += 1) streams.push(await follow('', { key }));
  expect(streams.map(({ status }) => status)).toEqual(Array(18).fill(200));
  const refused = await api.request('/v1/events/stream');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(((await refused.json()) as Json).detail).toBe('Too many open streams of this key (limit 6). Close one first.');
  expect((await api.request('/v1/events')).status).toBe(200);
  streams[0]?.close();
  await until(
    async () => api.ctx.streams.count(),
    (count) => count === 17,
  );
  expect((await follow()).status).toBe(200);
});

it('serves a client that pauses and reads on without a gap or a repeat', async () => {
  const [slow, other] = [await follow(), await follow()];
  await until(
    async () => slow.lastId(),
    (id) => id !== null,
  );
  slow.pause();
  const count = 600;
  await seedChanges(count);
  await position();
  await arrived(other, count);
  slow.resume();
  await arrived(slow, count);
  expect(slow.events().map(({ id }) => id)).toEqual(other.events().map(({ id }) => id));
});

it('ends its streams when the process stops, spread over some time, and opens no more', async () => {
  const stopping = new AbortController();
  const other = await startTestApi({ DATABASE_URL: api.serviceUrl }, { signal: stopping.signal });
  try {
    const streams = await Promise.all(
      Array.from({ length: 3 }, () => openEventStream(`${other.url}/v1/events/stream`, { key: api.key })),
    );
    stopping.abort();
    await Promise.all(streams.map(({ ended }) => ended));
    for (const stream of streams) expect(stream.retryMs()).toBeGreaterThanOrEqual(500);
    const refused = await fetch(`${other.url}/v1/events/stream`, { headers: { authorization: `Bearer ${api.key}` } });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  } finally {
    await other.close();
  }
});

async function follow(query = '', { key = api.key, headers = {} }: StreamRequest = {}): Promise<EventStream> {
  const stream = await openEventStream(`${api.url}/v1/events/stream${query}`, { key, headers });
  open.push(stream);
  return stream;
}

/** The stream of a signed-in user. */
async function watch({ cookies, account }: SignedInMember): Promise<EventStream> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'landfall-account': account };
  const stream = await openEventStream(`${api.url}/dashboard/api/v1/events/stream`, { headers });
  open.push(stream);
  return stream;
}

async function arrived(stream: EventStream, count: number): Promise<void> {
  await until(
    async () => stream.events().length,
    (length) => length >= count,
  );
  expect(stream.events()).toHaveLength(count);
}

/** Registers a shipment, and gives the change its position. */
async function register({ key = api.key, mbl = `MAEU${++numbers}` } = {}): Promise<string> {
  const answer = await api.post(
    '/v1/shipments',
    { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } },
    { authorization: `Bearer ${key}` },
  );
  const { shipment_id: id } = (await answer.json()) as Json;
  await position();
  return id;
}

async function position(): Promise<void> {
  while ((await sequenceChanges(api.ctx.core)) !== 0);
}

async function list(): Promise<Json[]> {
  return ((await (await api.request('/v1/events?limit=500')).json()) as Json).data;
}

/** Repeats the last change, which is as large as any. */
async function seedChanges(count: number): Promise<void> {
  await register();
  await api.ctx.core.store.system.query(
    `insert into landfall.changes (account_id, type, shipment_id, test, data, packed, packed_place, traceparent)
    select c.account_id, c.type, c.shipment_id, c.test, c.data, c.packed, c.packed_place, c.traceparent
    from (select * from landfall.changes where sequence is not null order by sequence desc limit 1) as c, generate_series(2, $1)`,
    [count],
  );
}
