import { inspectRedis, type RedisFacts } from '#shared/queue/inspect-redis.ts';
import { isClusterUrl } from '#shared/queue/open-redis.ts';
import { type Finding, fail, fine, reasonOf, sizeOf, warn } from './finding.ts';

/** What BullMQ recommends; below 5 it refuses. */
const versions = { least: 5, good: 6.2 };
const fullShare = 0.85;

/** The queue's server, each node of a cluster by itself. */
export async function checkRedis(redisUrl: string): Promise<Finding[]> {
  try {
    const nodes = await inspectRedis(redisUrl);
    return nodes.flatMap((facts) => judgeRedis(facts, { cluster: isClusterUrl(redisUrl) }));
  } catch (error) {
    return [fail('Redis', `${whereOf(redisUrl)}: ${reasonOf(error)}`, adviceOn(error))];
  }
}

export function judgeRedis(facts: RedisFacts, address: { cluster: boolean }): Finding[] {
  return [
    judgeVersion(facts),
    judgeCluster(facts, address),
    judgePolicy(facts),
    judgeMemory(facts),
    judgeFile(facts),
  ].filter((finding) => finding !== null);
}

function judgeVersion({ node, version }: RedisFacts): Finding {
  const number = Number.parseFloat(version ?? '');
  if (Number.isNaN(number))
    return warn('Redis', `${node}: it does not say its version`, 'It must do what Redis 6.2 does.');
  if (number < versions.least)
    return fail('Redis', `${node}: ${version} is too old`, 'The queue needs Redis 6.2 or later, or Valkey.');
  if (number < versions.good)
    return warn('Redis', `${node}: ${version} is old`, 'Redis 6.2 or later, or Valkey, is what is tested.');
  return fine('Redis', `${node}: ${version}`);
}

function judgeCluster(
  { node, clusterNode, clusterState }: RedisFacts,
  { cluster }: { cluster: boolean },
): Finding | null {
  const check = 'Redis cluster';
  if (clusterNode && !cluster)
    return fail(
      check,
      `${node} is a node of a cluster, which REDIS_URL does not say`,
      'End REDIS_URL in ?cluster=true: the names of queues then get hash tags, so that each is on one node.',
    );
  if (!clusterNode && cluster)
    return fail(
      check,
      `${node} is not a node of a cluster`,
      'REDIS_URL names one: give the address of this one server, without ?cluster=true.',
    );
  if (!cluster) return null;
  if (clusterState !== 'ok')
    return fail(
      check,
      `${node}: ${clusterState ?? 'unknown state'}`,
      `redis-cli -h ${hostOf(node)} -p ${portOf(node)} cluster info tells which slots nobody serves.`,
    );
  return fine(check, `${node}: every slot is served`);
}

function judgePolicy({ node, maxmemoryPolicy }: RedisFacts): Finding {
  const check = 'Redis maxmemory-policy';
  if (maxmemoryPolicy === 'noeviction') return fine(check, `${node}: noeviction`);
  const command = `redis-cli -h ${hostOf(node)} -p ${portOf(node)} config set maxmemory-policy noeviction`;
  if (maxmemoryPolicy === null)
    return warn(check, `${node} does not say`, `See that it is noeviction, with your host's tools or ${command}`);
  return fail(
    check,
    `${node}: ${maxmemoryPolicy} throws the queue's keys away when memory is full`,
    `${command} && redis-cli -h ${hostOf(node)} -p ${portOf(node)} config rewrite`,
  );
}

function judgeMemory({ node, maxmemoryBytes, usedBytes }: RedisFacts): Finding {
  const check = 'Redis memory';
  const used = usedBytes === null ? 'unknown' : sizeOf(usedBytes);
  if (maxmemoryBytes === null || maxmemoryBytes === 0 || usedBytes === null)
    return fine(check, `${node}: ${used} used, no limit of its own`);
  const found = `${node}: ${used} of ${sizeOf(maxmemoryBytes)} used`;
  if (usedBytes < maxmemoryBytes * fullShare) return fine(check, found);
  return warn(check, found, 'A full Redis takes no jobs: raise maxmemory, or see why workers do not take what waits.');
}

function judgeFile({ node, appendOnly, persists }: RedisFacts): Finding {
  const check = 'Redis file';
  const command = `redis-cli -h ${hostOf(node)} -p ${portOf(node)}`;
  if (persists === false)
    return fail(
      check,
      `${node} could not write to its disk`,
      `${command} info persistence tells which file; a Redis that cannot write takes no jobs.`,
    );
  if (appendOnly === true) return fine(check, `${node}: append-only file on`);
  if (appendOnly === null)
    return warn(
      check,
      `${node} does not say whether it writes an append-only file`,
      'Turn it on: a restart then loses no job.',
    );
  return warn(
    check,
    `${node} keeps its jobs in memory alone`,
    `${command} config set appendonly yes && ${command} config rewrite. Without it a restart empties the queue; the sweep finds all shipments again, a minute later.`,
  );
}

function adviceOn(error: unknown): string {
  const text = reasonOf(error);
  if (/NOAUTH|WRONGPASS|invalid username-password/i.test(text))
    return 'It wants a password: redis://user:password@host:6379 in REDIS_URL.';
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) return 'The host of REDIS_URL is not known here: correct it.';
  return 'Is Redis running there, and may this machine reach it? Registrations go on meanwhile; refreshes do not.';
}

/** Without user and password. */
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
