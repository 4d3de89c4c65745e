import { Redis } from 'ioredis';
import { beforeEach, describe, expect, it } from 'vitest';
import { startTestApi } from '#test/support/api/api.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { request } from '#test/support/api/http.ts';
import { redisUrl } from '#test/support/stores/redis.ts';
import { testRateLimits } from './rate-limit-suite.ts';

const url = redisUrl(8) ?? '';

describe.skipIf(url === '')('with Redis', () => {
  // Failed sign-ins count per address, and all tests share one address.
  beforeEach(async () => {
    const redis = new Redis(url);
    await redis.flushdb();
    redis.disconnect();
  });

  testRateLimits({ REDIS_URL: url });

  it('delays one request by a tenth of a second when Redis stops answering, and uses Redis again once it is back', async () => {
    const proxy = await openFaultProxy(url);
    const api = await startTestApi({ REDIS_URL: proxy.url }, { limits: { read: 1000 } });
    const read = async (key: string) => (await request(`${api.url}/v1/shipments`, { key })).status;
    try {
      const stats = () => api.ctx.limiter.stats();
      const isCounting = () => stats().takes > 0 && !stats().unavailable;
      await expect.poll(async () => [await read(api.key), isCounting()]).toEqual([200, true]);
      const { secret } = await api.createKey();
      const { failures } = stats();
      proxy.freeze();
      expect(await read(secret)).toBe(200);
      expect(stats()).toMatchObject({ unavailable: true, failures: failures + 1 });
      for (let sent = 0; sent < 10; sent++) {
        // Decided without waiting.
        expect(api.ctx.limiter.admit('any', 1)).toMatchObject({ admitted: true });
        expect(await read(secret)).toBe(200);
      }
      proxy.thaw();
      await expect.poll(async () => [await read(secret), api.ctx.limiter.stats().unavailable]).toEqual([200, false]);
    } finally {
      await api.close();
      await proxy.close();
    }
  });
});
