import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
let owner: SignedInMember;
beforeAll(async () => {
  api = await startTestApi({ SIMULATOR: 'on' }, { openDatabase: ownDatabase });
  owner = await signedIn(api, 'owner', 'overview');
});
afterAll(() => api.close());

async function register(more: object = {}): Promise<string> {
  const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() }, ...more };
  return (await owner.ask('/dashboard/api/v1/shipments', { body })).body.shipment_id;
}

it('counts late, stale, arriving and untracked shipments of this account, without archived ones', async () => {
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  for (let number = 0; number < 6; number += 1) await register();
  const archived = await register();
  await owner.ask(`/dashboard/api/v1/shipments/${archived}`, { method: 'DELETE' });
  const { rows } = await client.query<{ id: string }>(
    'select id from landfall.shipments where account_id = $1 and archived_at is null order by id',
    [owner.accountId],
  );
  const [late, today, both, failed, stale] = rows.map(({ id }) => id);
  const set = (id: string | undefined, what: string) =>
    client.query(`update landfall.shipments set ${what} where id = $1`, [id]);
  const follow = (id: string | undefined, what: string) =>
    client.query(`update landfall.polling set ${what} where shipment_id = $1`, [id]);
  await set(late, `status = 'in_transit', late_from = '-infinity'`);
  await set(
    today,
    `status = 'in_transit', eta = date_trunc('day', now(), 'UTC') + interval '12 hours', eta_day = (now() at time zone 'UTC')::date`,
  );
  await set(both, `status = 'arrived', late_from = now(), has_exception = true`);
  await follow(failed, `state = 'failed', reason = 'invalid_identifier', next_refresh_at = null`);
  await follow(
    stale,
    `state = 'active', last_succeeded_at = now() - interval '9 days', stale_at = now() - interval '1 day'`,
  );
  await client.query(
    `update landfall.shipments set late_from = '-infinity', has_exception = true where archived_at is not null`,
  );
  await client.end();
  const { status, body } = await owner.ask('/dashboard/api/overview');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    total: 6,
    current: 6,
    needs_attention: 2,
    rest: 4,
    exceptions: 1,
    stale: 1,
    arriving_today: 1,
  });
  expect(body.failures).toEqual([{ state: 'failed', reason: 'invalid_identifier', count: 1, needs_attention: 1 }]);
  const of = (name: string) => body.statuses.find(({ status: wanted }: { status: string }) => wanted === name);
  expect([of('in_transit'), of('arrived'), of('delivered')]).toMatchObject([
    { count: 2, late: 1 },
    { count: 1, late: 1 },
    { count: 0, late: 0 },
  ]);
  const on = (day: string) => owner.ask(`/dashboard/api/overview?day=${day}`);
  const dayFromNow = (days: number) => new Date(Date.parse(body.as_of) + days * 86_400_000).toISOString().slice(0, 10);
  expect((await on(dayFromNow(0))).body.arriving_today).toBe(1);
  expect((await on(dayFromNow(-1))).body.arriving_today).toBe(0);
  expect((await on(dayFromNow(1))).body.arriving_today).toBe(0);
  // Postgres has no year 0.
  for (const day of ['0000-01-01', '2026-02-30', '2026-04-15T00:00:00Z']) expect((await on(day)).status).toBe(400);
  const other = await signedIn(api, 'viewer', 'overview of others');
  expect((await other.ask('/dashboard/api/overview')).body).toMatchObject({ total: 0, failures: [] });
});

it('archives the demo shipments, deletes the demo endpoints, and leaves the account’s own when the demo is wiped', async () => {
  await register({ reference: 'demo-1', tags: ['demo'] });
  await register({ reference: 'demo-2', tags: ['demo'] });
  const own = await register({ reference: 'mine', tags: ['demo'] });
  const listen = async (url: string, description: string) =>
    (await owner.ask('/dashboard/api/v1/webhook-endpoints', { body: { url, description } })).body.id;
  await listen('https://example.com/receiver/healthy', 'Demo: a receiver that accepts everything');
  const ownEndpoints = [
    await listen('https://example.com/hooks', 'Demo: of our own'),
    await listen('https://example.com/receiver/mine', 'Orders'),
  ];
  expect((await owner.ask('/dashboard/api/wipe-demo', { method: 'POST' })).body).toEqual({ archived: 2 });
  expect((await owner.ask('/dashboard/api/wipe-demo', { method: 'POST' })).body).toEqual({ archived: 0 });
  const { body } = await owner.ask('/dashboard/api/v1/shipments?tag=demo');
  expect(body.data.map(({ shipment_id }: { shipment_id: string }) => shipment_id)).toEqual([own]);
  const { data } = (await owner.ask('/dashboard/api/v1/webhook-endpoints')).body;
  expect(data.map(({ id }: { id: string }) => id).sort()).toEqual(ownEndpoints.sort());
});
