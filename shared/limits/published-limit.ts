import type { BucketLimit } from './token-store.ts';

/** What a carrier allows: so many calls in any period of that length, and how many of them at once. */
export type PublishedLimit = { calls: number; perMs: number; burst: number };

/** A bucket that keeps a published limit. `holdMs`: how long a process may hold tokens before it uses them. */
export type KeptLimit = BucketLimit & { holdMs: number; published: PublishedLimit };

/** Kept back for refreshes that a client asks for, where the bucket is large enough to be divided. */
const keptShare = 0.2;
const longestHoldMs = 2000;

/**
 * The bucket under which no period of the published length ever sees more than the published calls, wherever it begins: what a full bucket
 * gives at once is taken off the refill (`capacity` + `perMs` × period ≤ `calls` + 1), and so is the time that a process may hold tokens.
 */
export function keepLimit(published: PublishedLimit): KeptLimit {
  const calls = Math.max(1, Math.floor(published.calls));
  const capacity = Math.max(1, Math.min(Math.floor(published.burst), Math.floor(calls / 4)));
  const holdMs = Math.min(longestHoldMs, published.perMs / 10);
  return { capacity, perMs: (calls - capacity + 1) / (published.perMs + holdMs), holdMs, published };
}

/** Tokens that only refreshes with priority may take. */
export function keptTokens({ capacity }: BucketLimit): number {
  return capacity < 2 ? 0 : Math.max(1, Math.round(capacity * keptShare));
}

/** Calls that the bucket carries in an hour. */
export function callsPerHour({ perMs }: BucketLimit): number {
  return perMs * 3_600_000;
}

/**
 * One process's part of a published limit, for as long as nobody can count for all: whole calls a period, so that the processes together
 * stay below the limit; with more processes than calls, one call each in so many periods.
 */
export function shareOf({ published }: KeptLimit, workers: number): BucketLimit {
  const processes = Math.max(1, workers);
  const calls = Math.floor(published.calls / processes);
  return { capacity: 1, perMs: calls >= 1 ? calls / published.perMs : published.calls / (published.perMs * processes) };
}
