/** A bucket's size and how fast it fills. */
export type BucketLimit = { capacity: number; perMs: number };

/** One step of a bucket, done at once by the store's clock. */
export type TokenTake = {
  key: string;
  limit: BucketLimit;
  /** Tokens; below 0 with `forced`: they are given back. */
  wanted: number;
  /** Tokens that must stay in the bucket. */
  keep: number;
  /** Take `wanted` whatever the bucket holds: a debt that delays later takes. */
  forced: boolean;
  /** Above 0: the bucket grants nothing for that long (ms). */
  closeMs: number;
};

/** What a take gave, and how the bucket stands after it. */
export type TokenStanding = { granted: number; tokens: number; closedMs: number };

/** Buckets that all processes share. A bucket that is not known is full. */
export type TakeTokens = (take: TokenTake) => Promise<TokenStanding>;
