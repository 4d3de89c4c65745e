import { LRUCache } from 'lru-cache';
import { singleFlight } from '#shared/async/single-flight.ts';
import type { TokenCache } from './carrier.ts';

/** A token is renewed this long before it expires, or after 90 % of a shorter lifetime. */
const marginMs = 30_000;
const maxTokens = 10_000;

/** Caches access tokens until shortly before they expire. A failed request is not cached: the next caller retries. */
export function createTokenCache(now: () => Date): TokenCache {
  const tokens = new LRUCache<string, string>({
    max: maxTokens,
    ttlResolution: 0,
    perf: { now: () => now().getTime() },
  });
  const oneRequest = singleFlight<string, string>();

  return {
    get: async (key, request, refused) => {
      const current = tokens.get(key);
      if (current !== undefined && current !== refused) return current;
      return oneRequest(key, async () => {
        const { token, lifetimeMs } = await request();
        const forMs = lifetimeMs > marginMs ? Math.min(lifetimeMs * 0.9, lifetimeMs - marginMs) : lifetimeMs * 0.9;
        tokens.set(key, token, { ttl: Math.max(1, Math.floor(forMs)) });
        return token;
      });
    },
  };
}
