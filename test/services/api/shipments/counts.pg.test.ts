import { afterAll, beforeAll, expect, it } from 'vitest';
import { wireCounts } from '#shared/contract/lists/list-wire.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
  await seedShipments({ databaseUrl: api.databaseUrl, accountId: api.accountId, count: 400 });
});

afterAll(() => api.close());

async function counts(query: string): Promise<Json> {
  const answer = await api.request(`/v1/shipments/counts?${query}`);
  expect(answer.status).toBe(200);
  return wireCounts.parse(await jsonOf(answer));
}

const sum = (numbers: Record<string, number>) => Object.values(numbers).reduce((total, number) => total + number, 0);

it('counts all shipments by status and state, including zeros', async () => {
  const all = await counts('');
  expect(all).toMatchObject({ total: 400, total_is_lower_bound: false, has_exception: 20 });
  expect(all.by_status).toMatchObject({ pending: 50, delivered: 50, cancelled: 0, failed: 0 });
  expect([sum(all.by_status), sum(all.by_tracking_state)]).toEqual([400, 400]);
  const [row] = await withAccount(api.ctx.core.store, api.accountId, async (tx) => {
    return (
      await tx.query('select count(*) as stale from landfall.polling where account_id = $1 and stale_at <= now()', [
        api.accountId,
      ])
    ).rows;
  });
  expect(all.stale).toBe(row.stale);
});

it('matches the list for the same filter', async () => {
  for (const filter of [
    'status=pending,booked',
    'tag=common&carrier=CMDU',
    'q=po-39',
    'has_exception=true',
    'stale=true',
    'archived=true',
  ]) {
    const [counted, listed] = [
      await counts(filter),
      await jsonOf(await api.request(`/v1/shipments?${filter}&include_total=true`)),
    ];
    expect(counted.total, filter).toBe(listed.page.total);
    expect(sum(counted.by_status), filter).toBe(listed.page.total);
    expect(counted.by_status, filter).toMatchObject(listed.counts_by_status);
  }
});

it('rejects page parameters and excludes other accounts', async () => {
  expect(await jsonOf(await api.request('/v1/shipments/counts?limit=5'))).toMatchObject({
    status: 400,
    code: 'unknown_parameter',
  });
  const { secret } = await api.createKey({ test: true });
  const answer = await api.request('/v1/shipments/counts', { headers: { authorization: `Bearer ${secret}` } });
  expect((await jsonOf(answer)).total).toBe(0);
});
