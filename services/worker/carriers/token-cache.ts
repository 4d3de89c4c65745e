import type { TokenCache } from './carrier.ts';

/** A token is renewed this long before it expires, or after 90 % of a shorter lifetime. */
const marginMs = 30_000;

/** Caches access tokens until shortly before they expire. A failed request is not cached: the next caller retries. */
export function createTokenCache(now: () => Date): TokenCache {
  const cached = new Map<string, { token: string; until: number }>();
  const underway = new Map<string, Promise<string>>();

  return {
    get: (key, request, refused) => {
      const current = cached.get(key);
      if (current && current.token !== refused && current.until > now().getTime())
        return Promise.resolve(current.token);
      const shared = underway.get(key);
      if (shared) return shared;
      const asking = request()
        .then(({ token, lifetimeMs }) => {
          cached.set(key, {
            token,
            until: now().getTime() + Math.min(lifetimeMs * 0.9, Math.max(lifetimeMs - marginMs, 0) || lifetimeMs * 0.9),
          });
          return token;
        })
        .finally(() => underway.delete(key));
      underway.set(key, asking);
      return asking;
    },
  };
}
