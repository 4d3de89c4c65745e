import type { BucketLimit } from './token-store.ts';

/** A bucket in this process alone. It begins empty: what was taken from the shared one a moment ago still counts. */
export type ShareBucket = {
  /** Tokens granted, at most `wanted`. */
  take: (wanted: number) => number;
  charge: (calls: number) => void;
  free: () => number;
  waitMs: () => number;
};

export type ShareBucketOptions = {
  /** Asked each time, for the part changes with the number of processes. */
  limit: () => BucketLimit;
  /** Another number each time the shared bucket was lost: what was saved up before does not count. */
  episode: () => number;
  now: () => number;
};

export function createShareBucket({ limit, episode, now }: ShareBucketOptions): ShareBucket {
  let tokens = 0;
  let filledAtMs = now();
  let current = episode();

  const fill = (): BucketLimit => {
    const { capacity, perMs } = limit();
    const nowMs = now();
    tokens = current === episode() ? Math.min(capacity, tokens + (nowMs - filledAtMs) * perMs) : 0;
    current = episode();
    filledAtMs = nowMs;
    return { capacity, perMs };
  };

  return {
    take: (wanted) => {
      fill();
      const taken = Math.max(0, Math.min(wanted, Math.floor(tokens + 1e-9)));
      tokens -= taken;
      return taken;
    },
    charge: (calls) => {
      fill();
      tokens -= calls;
    },
    free: () => {
      fill();
      return Math.max(0, Math.floor(tokens + 1e-9));
    },
    waitMs: () => {
      const { perMs } = fill();
      return Math.max(1, Math.ceil((1 - tokens) / perMs));
    },
  };
}
