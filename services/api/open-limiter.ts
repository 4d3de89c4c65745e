import type { Env } from '#shared/config/env.ts';
import { type BlockLimiter, openBlockLimiter } from '#shared/limits/block-limiter.ts';
import { redisCounts } from '#shared/limits/redis-counts.ts';
import { openRedis, type RedisClient } from '#shared/queue/open-redis.ts';
import type { Store } from '#shared/store/open-store.ts';
import { openLimitCounts } from '#shared/store/system/limit-counts.ts';
import type { Logger } from '#shared/telemetry/logger.ts';

/** Milliseconds that a request waits for the count store before the store counts as unavailable. */
const limitTimeoutMs = { redis: 100, postgres: 250 };

/** The Redis that counts requests. Null: Postgres counts them. Only tests set `timeoutMs`. */
export function openLimitsRedis(env: Env, logger: Logger, timeoutMs: number | null): RedisClient | null {
  if (env.REDIS_URL === null) return null;
  const onError = (error: Error) => logger.debug({ err: error }, 'rate limit Redis unavailable');
  return openRedis(env.REDIS_URL, { commandTimeoutMs: timeoutMs ?? limitTimeoutMs.redis, onError });
}

/** Counts requests in Redis or Postgres. Only tests set `timeoutMs`. */
export function openLimiter(wiring: {
  redis: RedisClient | null;
  store: Store;
  logger: Logger;
  windowS: number;
  timeoutMs: number | null;
}): BlockLimiter {
  const { redis, store, logger, windowS } = wiring;
  return openBlockLimiter({
    ...(redis === null
      ? openLimitCounts(store, windowS)
      : redisCounts(redis.client, { prefix: 'landfall-limits', windowS })),
    timeoutMs: wiring.timeoutMs ?? (redis === null ? limitTimeoutMs.postgres : limitTimeoutMs.redis),
    windowS,
    onUnavailable: (error, stats) =>
      logger.warn({ err: error, limits: stats }, 'rate limit store unavailable; requests pass uncounted'),
  });
}
