import { Cluster, type ClusterNode, Redis } from 'ioredis';

/** What we set of a client, in milliseconds; the rest is as ioredis has it. */
export type RedisClientOptions = {
  enableOfflineQueue?: boolean;
  maxRetriesPerRequest: number | null;
  connectTimeout: number;
  commandTimeout?: number;
  socketTimeout?: number;
  retryStrategy: (attempt: number) => number;
};

/** Whether these addresses, separated by commas, name a Redis Cluster: several do, and so does one that ends in `?cluster=true`. */
export function isClusterUrl(urls: string): boolean {
  return urls.includes(',') || new URL(urls).searchParams.get('cluster') === 'true';
}

/** A client of one Redis, or of a cluster, whose other nodes are found from those named. The nodes of a cluster share user, password and TLS. */
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
    // Names of nodes are checked against their certificates; an address that DNS gave would fail there.
    ...(first?.protocol === 'rediss:' ? { dnsLookup: (address, done) => done(null, address) } : {}),
    redisOptions: {
      ...redisOptions,
      ...(first?.username ? { username: decodeURIComponent(first.username) } : {}),
      ...(first?.password ? { password: decodeURIComponent(first.password) } : {}),
      ...(first?.protocol === 'rediss:' ? { tls: {} } : {}),
    },
  });
}
