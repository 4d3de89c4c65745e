import type { TokenCache } from './carrier.ts';

/** A token is renewed this long before it ends, or after 90 % of a short life. */
const marginMs = 30_000;

/** Keeps access tokens until shortly before they end. A failed request is not kept: the next caller asks again. */
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
