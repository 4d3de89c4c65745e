import { createRedisClient } from './redis-client.ts';

export type RedisClient = { client: object; close: () => Promise<void> };

const connectTimeoutMs = 1000;

/**
 * A Redis connection, or one to a cluster, for short questions on a request's path: it connects in the background, heals by itself, and refuses at once while
 * Redis is away. Its connection errors go to `onError`.
 */
export function openRedis(
  url: string,
  options: { commandTimeoutMs: number; onError: (error: Error) => void },
): RedisClient {
  const client = createRedisClient(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: connectTimeoutMs,
    commandTimeout: options.commandTimeoutMs,
    retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, 2000),
  });
  client.on('error', options.onError);
  return { client, close: async () => client.disconnect() };
}
