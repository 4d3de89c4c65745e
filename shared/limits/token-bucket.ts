import { type BucketLimit, type KeptLimit, priorityTokens, shareOf } from './published-limit.ts';

/** One step of a bucket, made at once by the store's clock. */
export type TokenTake = {
  key: string;
  limit: BucketLimit;
  /** Tokens; with `forced` a negative number gives tokens back. */
  wanted: number;
  /** Tokens that must stay in the bucket. */
  keep: number;
  /** Takes `wanted` whatever the bucket holds: a debt that delays later takes. */
  forced: boolean;
  /** Above 0: the bucket grants nothing for that long. */
  closeMs: number;
};

/** The tokens that a take granted, and the state of the bucket after it. */
export type TokenStanding = { granted: number; tokens: number; closedMs: number };

/** Buckets that all processes share. An unknown bucket is full. */
export type TakeTokens = (take: TokenTake) => Promise<TokenStanding>;

export type TakeOptions = {
  /** May use the tokens that are reserved for refreshes that clients request. */
  priority?: boolean;
};

/** `waitMs`: when the next token will be available, if fewer were granted than wanted. */
export type Reserved = { granted: number; waitMs: number };

/** One bucket of tokens that all processes share. */
export type TokenBucket = {
  limit: KeptLimit;
  /**
   * Takes one token that this process holds and returns 0, or returns the milliseconds until the next try; until then
   * tokens are fetched from the store.
   */
  take: (options?: TakeOptions) => number;
  /** Takes up to `wanted` tokens, from the store if this process holds too few. Never rejects. */
  reserve: (wanted: number, options?: TakeOptions) => Promise<Reserved>;
  /** Returns tokens that were reserved and not used. */
  giveBack: (tokens: number) => void;
  /** Counts calls that must not be refused; the debt delays later takes. */
  charge: (calls?: number) => void;
  /** Closes the bucket for every process. */
  close: (forMs: number) => void;
  /** Whole tokens that scheduled refreshes could take now, as far as this process knows. */
  free: () => number;
  standing: () => { tokens: number; closedMs: number };
  /** Reads the state of the bucket from the store. Never rejects. */
  refresh: () => Promise<void>;
};

export type TokenBucketOptions = {
  key: string;
  limit: KeptLimit;
  store: {
    /** Null: the store is unavailable. */
    take: (take: TokenTake) => Promise<TokenStanding | null>;
    isUnavailable: () => boolean;
    /** Returns the number of times that the store became unavailable so far. */
    outages: () => number;
  };
  now: () => number;
  workers: () => number;
};

/** A process holds at most this share of a bucket in advance. */
const heldShare = 0.05;
const minWaitMs = 20;

export function openTokenBucket({ key, limit, store, now, workers }: TokenBucketOptions): TokenBucket {
  const reservedForPriority = priorityTokens(limit);
  const share = openShare({ limit: () => shareOf(limit, workers()), outages: store.outages, now });
  let seen = { tokens: limit.capacity, atMs: now() };
  let held: { tokens: number; untilMs: number }[] = [];
  let closedUntilMs = 0;
  let isFetching = false;

  const step = async (change: Partial<Omit<TokenTake, 'key' | 'limit'>>): Promise<number | null> => {
    const standing = await store.take({ key, limit, wanted: 0, keep: 0, forced: false, closeMs: 0, ...change });
    if (standing === null) return null;
    seen = { tokens: standing.tokens, atMs: now() };
    if (standing.closedMs > 0) {
      closedUntilMs = Math.max(closedUntilMs, now() + standing.closedMs);
      held = [];
    }
    return standing.granted;
  };
  const give = (tokens: number): void => void step({ wanted: -tokens, forced: true });
  const tokensNow = (): number => Math.min(limit.capacity, seen.tokens + (now() - seen.atMs) * limit.perMs);
  const closedMs = (): number => Math.max(0, closedUntilMs - now());

  /** Tokens held too long go back to the store: the limit counts them from the moment they were taken. */
  const takeHeld = (wanted: number): number => {
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
    if (store.isUnavailable()) return share.waitMs();
    return Math.max(minWaitMs, Math.ceil((1 + (priority ? 0 : reservedForPriority) - tokensNow()) / limit.perMs));
  };

  const reserve = async (wanted: number, { priority = false }: TakeOptions = {}): Promise<Reserved> => {
    if (closedMs() > 0) return { granted: 0, waitMs: waitMs(priority) };
    let granted = takeHeld(wanted);
    if (granted < wanted) {
      // Any refresh may use a held token, so none of the tokens reserved for priority are fetched in advance.
      const ahead = priority ? 0 : Math.floor(limit.capacity * heldShare);
      const askedAtMs = now();
      const keep = priority ? 0 : reservedForPriority;
      const fetched = await step({ wanted: wanted - granted + ahead, keep });
      if (fetched === null) granted += share.take(wanted - granted);
      else {
        const used = Math.min(fetched, wanted - granted);
        granted += used;
        if (fetched > used) held.push({ tokens: fetched - used, untilMs: askedAtMs + limit.holdMs });
      }
    }
    return { granted, waitMs: granted < wanted ? waitMs(priority) : 0 };
  };

  /** Fetches tokens for the next `take`, one request at a time. */
  const fetchAhead = (options: TakeOptions): void => {
    if (isFetching) return;
    isFetching = true;
    const askedAtMs = now();
    void reserve(1, options).then(({ granted }) => {
      isFetching = false;
      if (granted > 0) held.push({ tokens: granted, untilMs: askedAtMs + limit.holdMs });
    });
  };

  return {
    limit,
    reserve,
    take: (options = {}) => {
      if (closedMs() > 0) return waitMs(options.priority === true);
      if (takeHeld(1) === 1) return 0;
      if (store.isUnavailable() && share.take(1) === 1) return 0;
      fetchAhead(options);
      return waitMs(options.priority === true);
    },
    giveBack: (tokens) => {
      if (tokens > 0) give(tokens);
    },
    charge: (calls = 1) => {
      const owed = calls - takeHeld(calls);
      if (owed === 0) return;
      seen = { ...seen, tokens: seen.tokens - owed };
      void step({ wanted: owed, forced: true }).then((counted) => {
        if (counted === null) share.charge(owed);
      });
    },
    close: (forMs) => {
      closedUntilMs = Math.max(closedUntilMs, now() + forMs);
      held = [];
      void step({ closeMs: forMs });
    },
    free: () => {
      if (closedMs() > 0) return 0;
      if (store.isUnavailable()) return share.free();
      const ready = held.reduce((sum, { tokens, untilMs }) => sum + (untilMs > now() ? tokens : 0), 0);
      return Math.max(0, Math.floor(tokensNow() - reservedForPriority + 1e-9)) + ready;
    },
    standing: () => ({
      tokens: store.isUnavailable() ? share.free() : Math.max(0, tokensNow()),
      closedMs: closedMs(),
    }),
    refresh: async () => {
      await step({});
    },
  };
}

/**
 * A bucket of this process alone, for its share while the store is unavailable. Each outage begins with an empty one,
 * because tokens taken from the shared bucket a moment ago still count.
 */
function openShare({ limit, outages, now }: { limit: () => BucketLimit; outages: () => number; now: () => number }) {
  let tokens = 0;
  let filledAtMs = now();
  let outage = outages();

  const fill = (): BucketLimit => {
    const { capacity, perMs } = limit();
    const nowMs = now();
    tokens = outage === outages() ? Math.min(capacity, tokens + (nowMs - filledAtMs) * perMs) : 0;
    outage = outages();
    filledAtMs = nowMs;
    return { capacity, perMs };
  };
  const whole = (): number => Math.max(0, Math.floor(tokens + 1e-9));

  return {
    /** Returns the tokens granted, at most `wanted`. */
    take: (wanted: number): number => {
      fill();
      const taken = Math.max(0, Math.min(wanted, whole()));
      tokens -= taken;
      return taken;
    },
    charge: (calls: number): void => {
      fill();
      tokens -= calls;
    },
    free: (): number => {
      fill();
      return whole();
    },
    waitMs: (): number => {
      const { perMs } = fill();
      return Math.max(1, Math.ceil((1 - tokens) / perMs));
    },
  };
}
