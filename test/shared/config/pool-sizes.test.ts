import { expect, it } from 'vitest';
import { apiPools, minPoolSize, workerPools } from '#shared/config/pool-sizes.ts';

it.each([minPoolSize, 12, 30, 500])('divides DB_POOL_SIZE=%i among the pools of a process, with none empty', (size) => {
  for (const REDIS_URL of [null, 'redis://localhost']) {
    for (const TRACE_STORE of ['on', 'off'] as const) {
      for (const poolsOf of [apiPools, workerPools]) {
        const pools = poolsOf({ DB_POOL_SIZE: size, REDIS_URL, TRACE_STORE });
        expect(Object.values(pools).reduce((sum, pool) => sum + pool, 0)).toBe(size);
        expect(pools.app).toBeGreaterThanOrEqual(2);
        expect(pools.system).toBeGreaterThanOrEqual(2);
      }
    }
  }
});
