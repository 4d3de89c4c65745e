import { LRUCache } from 'lru-cache';
import { withDeadline } from '#shared/async/deadline.ts';
import type { KeptLimit } from './published-limit.ts';
import { openTokenBucket, type TakeTokens, type TokenBucket, type TokenStanding } from './token-bucket.ts';

export type TokenBuckets = { bucket: (key: string, limit: KeptLimit) => TokenBucket; isUnavailable: () => boolean };

export type TokenBucketsOptions = {
  takeTokens: TakeTokens;
  /** Milliseconds that the store may take to respond. */
  timeoutMs: number;
  /** Processes that share the buckets. Decides this one's share while the store is unavailable. */
  workers: () => number;
  /** Called at most once a minute while the store is unavailable and each process keeps to its share. */
  onUnavailable: (error: unknown) => void;
  /** Monotonic milliseconds. */
  now?: () => number;
};

const probeEveryMs = 1000;
const reportEveryMs = 60_000;
/** A forgotten bucket opens again with what the store says. */
const maxBuckets = 10_000;

/**
 * Opens token buckets over one store. A process holds tokens for `holdMs` at most. While the store is unavailable, each
 * process keeps to its own share, and one call a second probes the store.
 */
export function openTokenBuckets(options: TokenBucketsOptions): TokenBuckets {
  const { workers } = options;
  const now = options.now ?? (() => performance.now());
  const buckets = new LRUCache<string, TokenBucket>({ max: maxBuckets });
  let unavailable = false;
  let outages = 0;
  let probeAtMs = 0;
  let reportedAtMs = Number.NEGATIVE_INFINITY;

  const takeFromStore = async (take: Parameters<TakeTokens>[0]): Promise<TokenStanding | null> => {
    if (unavailable && now() < probeAtMs) return null;
    probeAtMs = now() + probeEveryMs;
    try {
      const { timeoutMs } = options;
      const late = `The token store did not respond within ${timeoutMs} ms.`;
      const standing = await withDeadline(options.takeTokens(take), timeoutMs, late);
      unavailable = false;
      return standing;
    } catch (error) {
      if (!unavailable) outages += 1;
      unavailable = true;
      if (now() - reportedAtMs >= reportEveryMs) {
        reportedAtMs = now();
        options.onUnavailable(error);
      }
      return null;
    }
  };
  const store = { take: takeFromStore, isUnavailable: () => unavailable, outages: () => outages };

  return {
    bucket: (key, limit) => {
      const known = buckets.get(key);
      if (known !== undefined) return known;
      const opened = openTokenBucket({ key, limit, store, now, workers });
      buckets.set(key, opened);
      return opened;
    },
    isUnavailable: () => unavailable,
  };
}
