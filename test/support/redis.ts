import { inject } from 'vitest';

/**
 * The Redis that the global setup started, or null where no redis-server is installed. Test files run side by side, and a worker takes
 * whatever job lies in its Redis: each file names a database of its own (0 to 15).
 */
export function redisUrl(database = 0): string | null {
  const url = inject('redisUrl');
  return url === null ? null : new URL(`/${database}`, url).href;
}
