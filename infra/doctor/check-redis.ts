import { inspectRedis, type RedisFacts } from '#shared/queue/inspect-redis.ts';
import { isClusterUrl } from '#shared/queue/open-redis.ts';
import { type Finding, fail, fine, reasonOf, sizeOf, warn } from './finding.ts';

/** BullMQ recommends 6.2 and requires 5. */
const versions = { min: 5, recommended: 6.2 };
const fullShare = 0.85;

/** Checks the queue's Redis server, or each node of a cluster. */
export async function checkRedis(redisUrl: string): Promise<Finding[]> {
  try {
    const nodes = await inspectRedis(redisUrl);
    return nodes.flatMap((facts) => checkFacts(facts, { cluster: isClusterUrl(redisUrl) }));
  } catch (error) {
    return [fail('Redis', `${whereOf(redisUrl)}: ${reasonOf(error)}`, adviceOn(error))];
  }
}

export function checkFacts(facts: RedisFacts, address: { cluster: boolean }): Finding[] {
  return [
    checkVersion(facts),
    checkCluster(facts, address),
    checkPolicy(facts),
    checkMemory(facts),
    checkFile(facts),
  ].filter((finding) => finding !== null);
}

function checkVersion({ node, version }: RedisFacts): Finding {
  const number = Number.parseFloat(version ?? '');
  if (Number.isNaN(number))
    return warn('Redis', `${node}: version unknown`, 'Make sure that it is compatible with Redis 6.2.');
  if (number < versions.min)
    return fail('Redis', `${node}: ${version} is too old`, 'The queue requires Redis 6.2 or later, or Valkey.');
  if (number < versions.recommended)
    return warn('Redis', `${node}: ${version} is old`, 'Upgrade to Redis 6.2 or later, or Valkey.');
  return fine('Redis', `${node}: ${version}`);
}

function checkCluster(
  { node, clusterNode, clusterState }: RedisFacts,
  { cluster }: { cluster: boolean },
): Finding | null {
  const check = 'Redis cluster';
  if (clusterNode && !cluster)
    return fail(
      check,
      `${node} is a cluster node, but REDIS_URL is not a cluster address`,
      'Append ?cluster=true to REDIS_URL. Queue names then get hash tags, so that each queue is on one node.',
    );
  if (!clusterNode && cluster)
    return fail(
      check,
      `${node} is not a cluster node, but REDIS_URL is a cluster address`,
      'Set REDIS_URL to the address of this server without ?cluster=true.',
    );
  if (!cluster) return null;
  if (clusterState !== 'ok')
    return fail(
      check,
      `${node}: ${clusterState ?? 'unknown state'}`,
      `Run redis-cli -h ${hostOf(node)} -p ${portOf(node)} cluster info to find the unserved slots.`,
    );
  return fine(check, `${node}: every slot is served`);
}

function checkPolicy({ node, maxmemoryPolicy }: RedisFacts): Finding {
  const check = 'Redis maxmemory-policy';
  if (maxmemoryPolicy === 'noeviction') return fine(check, `${node}: noeviction`);
  const command = `redis-cli -h ${hostOf(node)} -p ${portOf(node)} config set maxmemory-policy noeviction`;
  if (maxmemoryPolicy === null)
    return warn(check, `${node}: unknown`, `Make sure that it is noeviction, with your provider's tools or ${command}`);
  return fail(
    check,
    `${node}: ${maxmemoryPolicy} evicts the queue's keys when memory is full`,
    `${command} && redis-cli -h ${hostOf(node)} -p ${portOf(node)} config rewrite`,
  );
}

function checkMemory({ node, maxmemoryBytes, usedBytes }: RedisFacts): Finding {
  const check = 'Redis memory';
  const used = usedBytes === null ? 'unknown' : sizeOf(usedBytes);
  if (maxmemoryBytes === null || maxmemoryBytes === 0 || usedBytes === null)
    return fine(check, `${node}: ${used} used, no limit`);
  const found = `${node}: ${used} of ${sizeOf(maxmemoryBytes)} used`;
  if (usedBytes < maxmemoryBytes * fullShare) return fine(check, found);
  return warn(check, found, 'A full Redis accepts no jobs. Raise maxmemory, or find out why the workers fall behind.');
}

function checkFile({ node, appendOnly, persists }: RedisFacts): Finding {
  const check = 'Redis file';
  const command = `redis-cli -h ${hostOf(node)} -p ${portOf(node)}`;
  if (persists === false)
    return fail(
      check,
      `${node} failed to write to disk`,
      `Redis accepts no jobs until this is fixed. Run ${command} info persistence to find the file.`,
    );
  if (appendOnly === true) return fine(check, `${node}: append-only file on`);
  if (appendOnly === null)
    return warn(
      check,
      `${node}: unknown whether the append-only file is on`,
      'Turn on the append-only file, so that a restart loses no jobs.',
    );
  return warn(
    check,
    `${node} keeps jobs only in memory`,
    `${command} config set appendonly yes && ${command} config rewrite. Without it, a restart empties the queue until the sweep enqueues all due shipments again about a minute later.`,
  );
}

function adviceOn(error: unknown): string {
  const text = reasonOf(error);
  if (/NOAUTH|WRONGPASS|invalid username-password/i.test(text))
    return 'Redis requires a password. Set REDIS_URL to redis://user:password@host:6379.';
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) return "The host in REDIS_URL can't be resolved. Correct it.";
  return 'Check that Redis is running and reachable from this machine. Until then, registrations continue but refreshes stop.';
}

/** The hosts, without credentials. */
function whereOf(redisUrl: string): string {
  return redisUrl
    .split(',')
    .map((one) => new URL(one.trim()).host)
    .join(', ');
}

function hostOf(node: string): string {
  return node.slice(0, node.lastIndexOf(':'));
}

function portOf(node: string): string {
  return node.slice(node.lastIndexOf(':') + 1);
}
