import { Cluster } from 'ioredis';
import { createRedisClient, isClusterUrl } from './open-redis.ts';

/**
 * Facts that a Redis, or each node of a cluster, reports of itself. Null: unknown, as some hosted services don't report
 * it.
 */
export type RedisFacts = {
  /** Host and port. */
  node: string;
  version: string | null;
  /** Behavior of Redis when its memory is full: `noeviction`, or a policy that evicts keys. */
  maxmemoryPolicy: string | null;
  maxmemoryBytes: number | null;
  usedBytes: number | null;
  /** True when Redis writes an append-only file. */
  appendOnly: boolean | null;
  /** True when the last writes to disk succeeded. */
  persists: boolean | null;
  /** True for a node of a cluster, whatever its address suggests. */
  clusterNode: boolean;
  /** For a cluster: `ok` while every slot is served. */
  clusterState: string | null;
};

const timeoutMs = 3000;

/** Inspects every node that the addresses lead to. Rejects if none can be reached within a few seconds. */
export async function inspectRedis(redisUrl: string): Promise<RedisFacts[]> {
  let lastError: Error | null = null;
  const client = createRedisClient(redisUrl, {
    maxRetriesPerRequest: 1,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    // One retry only: a person waits.
    retryStrategy: (attempt) => (attempt > 1 ? (undefined as never) : 100),
  });
  client.on('error', (error: Error) => {
    lastError = error;
  });
  try {
    await client.ping().catch((error: Error) => Promise.reject(lastError ?? error));
    const nodes = client instanceof Cluster ? client.nodes('master') : [client];
    return await Promise.all(
      nodes.map(async (node) => {
        const info = readInfo(await node.info());
        const setting = async (name: string): Promise<string | null> => {
          const reply = await node.config('GET', name).catch(() => []);
          return Array.isArray(reply) && typeof reply[1] === 'string' ? reply[1] : null;
        };
        const clusterNode = info.get('cluster_enabled') === '1';
        return {
          node: `${node.options.host ?? 'localhost'}:${node.options.port ?? 6379}`,
          version: info.get('valkey_version') ?? info.get('redis_version') ?? null,
          maxmemoryPolicy: info.get('maxmemory_policy') ?? (await setting('maxmemory-policy')),
          maxmemoryBytes: numberOf(info.get('maxmemory')),
          usedBytes: numberOf(info.get('used_memory')),
          appendOnly: flagOf(info.get('aof_enabled')),
          persists: persistsOf(info),
          clusterNode,
          clusterState: isClusterUrl(redisUrl) && clusterNode ? await clusterStateOf(node) : null,
        };
      }),
    );
  } finally {
    client.disconnect();
  }
}

async function clusterStateOf(node: { cluster: (command: 'INFO') => Promise<unknown> }): Promise<string | null> {
  const reply = await node.cluster('INFO').catch(() => '');
  return readInfo(String(reply)).get('cluster_state') ?? null;
}

function persistsOf(info: ReadonlyMap<string, string>): boolean | null {
  const written = [info.get('rdb_last_bgsave_status'), info.get('aof_last_write_status')].filter(
    (status) => status !== undefined,
  );
  return written.length === 0 ? null : written.every((status) => status === 'ok');
}

/** The lines of `INFO`: `name:value`. */
function readInfo(text: string): Map<string, string> {
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as const];
    }),
  );
}

function numberOf(text: string | undefined): number | null {
  return text === undefined || !Number.isFinite(Number(text)) ? null : Number(text);
}

function flagOf(text: string | undefined): boolean | null {
  return text === undefined ? null : text === '1';
}
