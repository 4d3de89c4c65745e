import { expect, it } from 'vitest';
import { deleteEndedLimitCounts, openLimitCounts } from '#shared/store/system/limit-counts.ts';
import { startTestApi } from '#test/support/api/api.ts';
import { request } from '#test/support/api/http.ts';
import { openTestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { testRateLimits } from './rate-limit-suite.ts';

testRateLimits({});

it('admits requests uncounted and without delay while the counter store is unavailable, and logs it once', async () => {
  const api = await startTestApi({}, { openDatabase: ownDatabase, limits: { read: 1 } });
  try {
    for (let sent = 0; sent < 20; sent++) {
      const { status, headers } = await request(`${api.url}/v1/shipments`, { key: api.key });
      expect(status).toBe(200);
      expect(headers.get('ratelimit-policy')).toBe('"read";q=1;w=60');
    }
    expect(api.ctx.limiter.admit('any', 1)).toMatchObject({ admitted: true });
    expect(api.ctx.limiter.stats()).toMatchObject({ unavailable: true, takes: 0, uncounted: 21 });
    expect(api.logLines.filter((line) => line.includes('requests pass uncounted'))).toHaveLength(1);
  } finally {
    await api.close();
  }
});

it('removes counts of ended windows, and adds up the counts of many processes', async () => {
  const core = await openTestCore({}, ownDatabase);
  try {
    const taking = Array.from({ length: 3 }, () => openLimitCounts(core.store, 60));
    const [first] = taking;
    const counts = await Promise.all(Array.from({ length: 30 }, (_, index) => taking[index % 3]?.takePoints('key', 2)));
    expect(counts.map((count) => count?.consumed ?? 0).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => 2 * (index + 1)),
    );
    expect(counts.every((count) => count !== undefined && count.msLeft > 0 && count.msLeft <= 60_000)).toBe(true);
    // Reading consumes nothing.
    for (let read = 0; read < 2; read++)
      expect(await first?.readCounts(['other', 'key'])).toEqual([null, { consumed: 60, msLeft: expect.any(Number) }]);
    const keys = async () =>
      (await core.store.system.query<{ key: string }>('select key from landfall.limit_counts order by key')).rows;
    await core.store.system.query("insert into landfall.limit_counts values ('over', 5, now() - interval '1 ms')");
    await deleteEndedLimitCounts(core.store);
    expect(await keys()).toEqual([{ key: 'key' }]);
    await core.store.system.query("update landfall.limit_counts set ends_at = now() - interval '1 ms'");
    expect(await first?.readCounts(['key'])).toEqual([null]);
    expect(await first?.takePoints('key', 3)).toMatchObject({ consumed: 3 });
  } finally {
    await core.close();
  }
});

it('rejects a rate limit that is not a number of requests', async () => {
  const core = await openTestCore({}, ownDatabase);
  try {
    const { accountId } = await core.newCaller();
    for (const limits of ['[]', '{"read": 0}', '{"read": "5"}', '{"read": 1.5}', '{"reads": 5}', '{"read": null}']) {
      const writing = core.store.system.query('update landfall.accounts set limits = $2::jsonb where id = $1', [
        accountId,
        limits,
      ]);
      await expect(writing, limits).rejects.toThrow(/accounts_limits_known/);
    }
    await core.store.system.query('update landfall.accounts set limits = $2::jsonb where id = $1', [
      accountId,
      '{"read": 5, "mcp": 1}',
    ]);
  } finally {
    await core.close();
  }
});
