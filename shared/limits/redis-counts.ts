import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { CountStore } from './count-store.ts';

/**
 * Counts in Redis. A window begins with its first take and ends by Redis's own clock (the time to live of its key), so the clocks of the
 * processes do not matter. `client`: an ioredis client that refuses at once while Redis is away.
 */
export function redisCounts(client: object, options: { prefix: string; windowS: number }): CountStore {
  const limiter = new RateLimiterRedis({
    storeClient: client,
    keyPrefix: options.prefix,
    duration: options.windowS,
    // Quotas differ by account and are judged by the caller; here is only the count.
    points: Number.MAX_SAFE_INTEGER,
    rejectIfRedisNotReady: true,
  });
  const toCount = ({ consumedPoints, msBeforeNext }: { consumedPoints: number; msBeforeNext: number }) => ({
    consumed: consumedPoints,
    msLeft: msBeforeNext,
  });
  return {
    takePoints: async (key, points) => toCount(await limiter.penalty(key, points)),
    readCounts: (keys) =>
      Promise.all(
        keys.map(async (key) => {
          const count = await limiter.get(key);
          return count === null ? null : toCount(count);
        }),
      ),
  };
}
