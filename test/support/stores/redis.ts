import { inject } from 'vitest';

/**
 * The Redis of the global setup. Null: no redis-server is installed. Test files run in parallel and a worker takes any
 * job in its Redis, so that each file names a database of its own (0 to 15).
 */
export function redisUrl(database = 0): string | null {
  const url = inject('redisUrl');
  return url === null ? null : new URL(`/${database}`, url).href;
}
