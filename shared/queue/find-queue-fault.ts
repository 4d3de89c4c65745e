import { inspectRedis, type RedisFacts } from './inspect-redis.ts';
import type { JobProducer } from './producer.ts';

/** Settings of Redis change rarely, and an inspection takes a connection of its own. */
const inspectEveryMs = 30_000;

/**
 * Returns a function that finds why the queue can't be relied on: it is `unavailable`, or its Redis evicts keys when its
 * memory is full, and jobs with them. Null: it serves. An inspection that fails changes nothing.
 */
export function createQueueFaultFinder(
  { responds }: Pick<JobProducer, 'responds'>,
  redisUrl: string | null,
  { inspect = inspectRedis, nowMs = () => performance.now() } = {},
): () => Promise<string | null> {
  let evicting: string | null = null;
  let inspectedAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (!(await responds())) return 'unavailable';
    if (redisUrl !== null && nowMs() - inspectedAtMs >= inspectEveryMs) {
      inspectedAtMs = nowMs();
      evicting = await inspect(redisUrl).then(policyOf, () => evicting);
    }
    return evicting === null ? null : `evicting keys (maxmemory-policy ${evicting})`;
  };
}

/** The first policy that evicts keys. An unknown one is not a fault: hosted services may not report it. */
function policyOf(nodes: readonly RedisFacts[]): string | null {
  const policies = nodes.map(({ maxmemoryPolicy }) => maxmemoryPolicy);
  return policies.find((policy) => policy !== null && policy !== 'noeviction') ?? null;
}
