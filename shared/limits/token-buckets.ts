import { type KeptLimit, keptTokens, shareOf } from './published-limit.ts';
import { createShareBucket } from './share-bucket.ts';
import type { TakeTokens, TokenStanding } from './token-store.ts';
import { withDeadline } from './with-deadline.ts';

export type TakeOptions = {
  /** May use what is kept for the refreshes that clients ask for. */
  priority?: boolean;
};

/** What a reservation gave; `waitMs`: when the next token can be had, where fewer were granted than wanted. */
export type Reserved = { granted: number; waitMs: number };

export type BucketStanding = { tokens: number; capacity: number; closedMs: number; away: boolean };

/** One bucket of tokens that all processes share. */
export type TokenBucket = {
  limit: KeptLimit;
  /** Takes one token that this process holds: 0, or the milliseconds after which to ask again; then more are on their way. */
  take: (options?: TakeOptions) => number;
  /** Takes up to `wanted` tokens, from the store where this process holds too few. Never rejects. */
  reserve: (wanted: number, options?: TakeOptions) => Promise<Reserved>;
  /** Tokens that were reserved and not used. */
  giveBack: (tokens: number) => void;
  /** Counts calls that must not be refused; the debt delays later takes. */
  charge: (calls?: number) => void;
  /** Closes the bucket for every process. */
  close: (forMs: number) => void;
  /** Whole tokens that scheduled refreshes could take now, as far as this process knows. */
  free: () => number;
  standing: () => BucketStanding;
  /** Asks the store how the bucket stands. Never rejects. */
  refresh: () => Promise<void>;
};

export type TokenBuckets = { bucket: (key: string, limit: KeptLimit) => TokenBucket; isAway: () => boolean };

export type TokenBucketsOptions = {
  takeTokens: TakeTokens;
  /** Milliseconds that the store may take to answer. */
  timeoutMs: number;
  /** Processes that share the buckets, for this one's part while the store is away. */
  workers: () => number;
  /** Told at most once a minute that the store is away and each process keeps to its part. */
  onAway: (error: unknown) => void;
  /** Monotonic milliseconds. */
  now?: () => number;
};

const retryAwayMs = 1000;
const tellAwayMs = 60_000;
/** A process holds at most this part of a bucket in advance. */
const heldShare = 0.05;
const shortestWaitMs = 20;

/** Buckets of tokens over one store. A process holds tokens for `holdMs` at most; while the store is away it keeps to its own part. */
export function openTokenBuckets(options: TokenBucketsOptions): TokenBuckets {
  const { workers } = options;
  const now = options.now ?? (() => performance.now());
  const buckets = new Map<string, TokenBucket>();
  let away = false;
  let episode = 0;
  let probeAtMs = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;

  /** Null: the store is away. */
  const ask: AskStore = async (take) => {
    if (away && now() < probeAtMs) return null;
    probeAtMs = now() + retryAwayMs;
    try {
      const standing = await withDeadline(options.takeTokens(take), options.timeoutMs, 'tokens');
      away = false;
      return standing;
    } catch (error) {
      if (!away) episode += 1;
      away = true;
      if (now() - toldAtMs >= tellAwayMs) {
        toldAtMs = now();
        options.onAway(error);
      }
      return null;
    }
  };

  return {
    bucket: (key, limit) => {
      const known = buckets.get(key);
      if (known !== undefined) return known;
      const opened = openBucket({ key, limit, ask, now, workers, isAway: () => away, episode: () => episode });
      buckets.set(key, opened);
      return opened;
    },
    isAway: () => away,
  };
}

type AskStore = (take: Parameters<TakeTokens>[0]) => Promise<TokenStanding | null>;
type Opening = {
  key: string;
  limit: KeptLimit;
  ask: AskStore;
  now: () => number;
  workers: () => number;
  isAway: () => boolean;
  episode: () => number;
};

function openBucket({ key, limit, ask, now, workers, isAway, episode }: Opening): TokenBucket {
  const keep = keptTokens(limit);
  const share = createShareBucket({ limit: () => shareOf(limit, workers()), episode, now });
  let seen = { tokens: limit.capacity, atMs: now() };
  let held: { tokens: number; untilMs: number }[] = [];
  let closedUntilMs = 0;
  let isFilling = false;

  const step = async (change: {
    wanted: number;
    keep: number;
    forced: boolean;
    closeMs: number;
  }): Promise<number | null> => {
    const standing = await ask({ key, limit, ...change });
    if (standing === null) return null;
    seen = { tokens: standing.tokens, atMs: now() };
    if (standing.closedMs > 0) {
      closedUntilMs = Math.max(closedUntilMs, now() + standing.closedMs);
      held = [];
    }
    return standing.granted;
  };
  const give = (tokens: number): void => void step({ wanted: -tokens, keep: 0, forced: true, closeMs: 0 });
  const tokensNow = (): number => Math.min(limit.capacity, seen.tokens + (now() - seen.atMs) * limit.perMs);
  const closedMs = (): number => Math.max(0, closedUntilMs - now());

  /** What is held too long goes back: it may no longer count as of when it was taken. */
  const fromHeld = (wanted: number): number => {
    const nowMs = now();
    const late = held.filter(({ untilMs }) => untilMs <= nowMs).reduce((sum, { tokens }) => sum + tokens, 0);
    held = held.filter(({ untilMs }) => untilMs > nowMs);
    if (late > 0) give(late);
    let taken = 0;
    while (taken < wanted && held[0] !== undefined) {
      held[0].tokens -= 1;
      taken += 1;
      if (held[0].tokens === 0) held.shift();
    }
    return taken;
  };
  const waitMs = (priority: boolean): number => {
    if (closedMs() > 0) return Math.ceil(closedMs());
    if (isAway()) return share.waitMs();
    return Math.max(shortestWaitMs, Math.ceil((1 + (priority ? 0 : keep) - tokensNow()) / limit.perMs));
  };

  const reserve = async (wanted: number, { priority = false }: TakeOptions = {}): Promise<Reserved> => {
    if (closedMs() > 0) return { granted: 0, waitMs: waitMs(priority) };
    let granted = fromHeld(wanted);
    if (granted < wanted) {
      // Held tokens are anybody's, so none are fetched in advance from what is kept.
      const ahead = priority ? 0 : Math.floor(limit.capacity * heldShare);
      const askedAtMs = now();
      const fetched = await step({
        wanted: wanted - granted + ahead,
        keep: priority ? 0 : keep,
        forced: false,
        closeMs: 0,
      });
      if (fetched === null) granted += share.take(wanted - granted);
      else {
        const used = Math.min(fetched, wanted - granted);
        granted += used;
        if (fetched > used) held.push({ tokens: fetched - used, untilMs: askedAtMs + limit.holdMs });
      }
    }
    return { granted, waitMs: granted < wanted ? waitMs(priority) : 0 };
  };

  /** For the next `take`; one at a time. */
  const fill = (options: TakeOptions): void => {
    if (isFilling) return;
    isFilling = true;
    const askedAtMs = now();
    void reserve(1, options).then(({ granted }) => {
      isFilling = false;
      if (granted > 0) held.push({ tokens: granted, untilMs: askedAtMs + limit.holdMs });
    });
  };

  return {
    limit,
    reserve,
    take: (options = {}) => {
      if (closedMs() > 0) return waitMs(options.priority === true);
      if (fromHeld(1) === 1) return 0;
      if (isAway() && share.take(1) === 1) return 0;
      fill(options);
      return waitMs(options.priority === true);
    },
    giveBack: (tokens) => {
      if (tokens > 0) give(tokens);
    },
    charge: (calls = 1) => {
      const owed = calls - fromHeld(calls);
      if (owed === 0) return;
      seen = { ...seen, tokens: seen.tokens - owed };
      void step({ wanted: owed, keep: 0, forced: true, closeMs: 0 }).then((counted) => {
        if (counted === null) share.charge(owed);
      });
    },
    close: (forMs) => {
      closedUntilMs = Math.max(closedUntilMs, now() + forMs);
      held = [];
      void step({ wanted: 0, keep: 0, forced: false, closeMs: forMs });
    },
    free: () => {
      if (closedMs() > 0) return 0;
      if (isAway()) return share.free();
      const ready = held.reduce((sum, { tokens, untilMs }) => sum + (untilMs > now() ? tokens : 0), 0);
      return Math.max(0, Math.floor(tokensNow() - keep + 1e-9)) + ready;
    },
    standing: () => ({
      tokens: isAway() ? share.free() : Math.max(0, tokensNow()),
      capacity: limit.capacity,
      closedMs: closedMs(),
      away: isAway(),
    }),
    refresh: async () => {
      await step({ wanted: 0, keep: 0, forced: false, closeMs: 0 });
    },
  };
}
