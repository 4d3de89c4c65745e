import { Cluster, type ClusterNode, Redis } from 'ioredis';

export type RedisClient = { client: object; close: () => Promise<void> };

/** The options that Landfall sets; all others are ioredis's defaults. */
export type RedisClientOptions = {
  enableOfflineQueue?: boolean;
  maxRetriesPerRequest: number | null;
  connectTimeout: number;
  commandTimeout?: number;
  socketTimeout?: number;
  retryStrategy: (attempt: number) => number;
};

const connectTimeoutMs = 1000;

/**
 * Opens a connection to one Redis or to a cluster, for short commands on a request's path. It connects in the
 * background, reconnects by itself, and rejects at once while Redis is unavailable. Connection errors go to `onError`.
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

/**
 * Creates a client of one Redis, or of a cluster, whose other nodes are discovered from those named. All nodes of a
 * cluster have the same user, password and TLS setting.
 */
export function createRedisClient(urls: string, options: RedisClientOptions): Redis | Cluster {
  if (!isClusterUrl(urls)) return new Redis(urls, options);
  const { enableOfflineQueue = true, retryStrategy, ...redisOptions } = options;
  const seeds = urls.split(',').map((seed) => new URL(seed.trim()));
  const [first] = seeds;
  const nodes: ClusterNode[] = seeds.map(({ hostname, port }) => ({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || '6379'),
  }));
  return new Cluster(nodes, {
    enableOfflineQueue,
    slotsRefreshTimeout: 2000,
    clusterRetryStrategy: retryStrategy,
    // Certificates are checked against the names of the nodes, so names must not be resolved to addresses first.
    ...(first?.protocol === 'rediss:' ? { dnsLookup: (address, done) => done(null, address) } : {}),
    redisOptions: {
      ...redisOptions,
      ...(first?.username ? { username: decodeURIComponent(first.username) } : {}),
      ...(first?.password ? { password: decodeURIComponent(first.password) } : {}),
      ...(first?.protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
}

/** True when these comma-separated addresses name a Redis Cluster: several do, and so does one with `?cluster=true`. */
export function isClusterUrl(urls: string): boolean {
  return urls.includes(',') || new URL(urls).searchParams.get('cluster') === 'true';
}
