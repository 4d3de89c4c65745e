/** A bucket's size and how fast it fills. */
export type BucketLimit = { capacity: number; perMs: number };

/** Limit of a carrier: `calls` in any period of `perMs`, and at most `burst` of them at once. */
export type PublishedLimit = { calls: number; perMs: number; burst: number };

/** A bucket that keeps a published limit. `holdMs`: how long a process may hold tokens before it uses them. */
export type KeptLimit = BucketLimit & { holdMs: number; published: PublishedLimit };

/** Reserved for refreshes that a client requests, if the bucket is large enough to be divided. */
const priorityShare = 0.2;
const maxHoldMs = 2000;

/**
 * Returns a bucket under which no period of the published length sees more than the published calls, wherever it
 * begins: the refill is reduced by what a full bucket grants at once (`capacity` + `perMs` × period ≤ `calls` + 1) and
 * by the time that a process may hold tokens.
 */
export function keepLimit(published: PublishedLimit): KeptLimit {
  const calls = Math.max(1, Math.floor(published.calls));
  const capacity = Math.max(1, Math.min(Math.floor(published.burst), Math.floor(calls / 4)));
  const holdMs = Math.min(maxHoldMs, published.perMs / 10);
  return { capacity, perMs: (calls - capacity + 1) / (published.perMs + holdMs), holdMs, published };
}

/** Tokens that only refreshes with priority may take. */
export function priorityTokens({ capacity }: BucketLimit): number {
  return capacity < 2 ? 0 : Math.max(1, Math.round(capacity * priorityShare));
}

/** Calls that the bucket carries in an hour. */
export function callsPerHour({ perMs }: BucketLimit): number {
  return perMs * 3_600_000;
}

/**
 * One process's share of a published limit while the token store is unavailable: whole calls per period, so that the
 * processes together stay below the limit. With more processes than calls, each gets one call in several periods.
 */
export function shareOf({ published }: KeptLimit, workers: number): BucketLimit {
  const processes = Math.max(1, workers);
  const calls = Math.floor(published.calls / processes);
  return { capacity: 1, perMs: calls >= 1 ? calls / published.perMs : published.calls / (published.perMs * processes) };
}
