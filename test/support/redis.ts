import { inject } from 'vitest';

/** The Redis that the global setup started, or null where no redis-server is installed. */
export function redisUrl(): string | null {
  return inject('redisUrl');
}
