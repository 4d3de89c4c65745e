import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';
import { type SignedInMember, signedIn } from '#test/support/browser/dashboard.ts';
import { uniqueNumber } from '#test/support/core-context.ts';

let api: TestApi;
let owner: SignedInMember;
beforeAll(async () => {
  api = await startTestApi({ SIMULATOR: 'on' });
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
  await set(late, `status = 'in_transit', delay_hours = 30`);
  await set(today, `status = 'in_transit', eta = date_trunc('day', now()) + interval '12 hours'`);
  await set(both, `status = 'arrived', delay_hours = 24, has_exception = true`);
  await follow(failed, `state = 'failed', reason = 'invalid_identifier', next_refresh_at = null`);
  await follow(
    stale,
    `state = 'active', last_succeeded_at = now() - interval '9 days', stale_at = now() - interval '1 day'`,
  );
  await client.query(
    `update landfall.shipments set delay_hours = 99, has_exception = true where archived_at is not null`,
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
  expect(body.failures).toEqual([{ state: 'failed', count: 1 }]);
  const of = (name: string) => body.statuses.find(({ status: wanted }: { status: string }) => wanted === name);
  expect([of('in_transit'), of('arrived'), of('delivered')]).toMatchObject([
    { count: 2, late: 1 },
    { count: 1, late: 1 },
    { count: 0, late: 0 },
  ]);
  const noonMs = new Date().setUTCHours(12, 0, 0, 0);
  const around = (from: number, to: number) =>
    owner.ask(
      `/dashboard/api/overview?day_from=${new Date(noonMs + from).toISOString()}&day_to=${new Date(noonMs + to).toISOString()}`,
    );
  expect((await around(-1000, 1000)).body.arriving_today).toBe(1);
  expect((await around(1, 1000)).body.arriving_today).toBe(0);
  expect((await around(1000, -1000)).status).toBe(400);
  expect((await around(0, 49 * 3_600_000)).status).toBe(400);
  expect((await around(0, 0)).status).toBe(400);
  // Postgres has no year 0.
  const unreadable = 'day_from=0000-01-01T00:00:00Z&day_to=0000-01-02T00:00:00Z';
  for (const query of [unreadable, 'day_from=2026-04-15T00:00:00Z', 'day_to=2026-04-15T00:00:00Z'])
    expect((await owner.ask(`/dashboard/api/overview?${query}`)).status).toBe(400);
  const other = await signedIn(api, 'viewer', 'overview of others');
  expect((await other.ask('/dashboard/api/overview')).body).toMatchObject({ total: 0, failures: [] });
});

it('archives the demo shipments and none of the account’s own when the demo is wiped on an installation with simulated carriers', async () => {
  await register({ reference: 'demo-1', tags: ['demo'] });
  await register({ reference: 'demo-2', tags: ['demo'] });
  const own = await register({ reference: 'mine', tags: ['demo'] });
  expect((await owner.ask('/dashboard/api/wipe-demo', { method: 'POST' })).body).toEqual({ archived: 2 });
  expect((await owner.ask('/dashboard/api/wipe-demo', { method: 'POST' })).body).toEqual({ archived: 0 });
  const { body } = await owner.ask('/dashboard/api/v1/shipments?tag=demo');
  expect(body.data.map(({ shipment_id }: { shipment_id: string }) => shipment_id)).toEqual([own]);
});
