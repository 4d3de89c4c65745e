const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const backoffBaseMs = minuteMs;
const backoffCapMs = hourMs;
/** A carrier's `Retry-After` is honored up to this. */
const maxRetryAfterMs = 24 * hourMs;

/** No shipment is refreshed more often. */
export const minIntervalMs = 2_000;
/** Period over which the shipments that wait for a failing carrier become due again once it may respond. */
export const resumeSpreadMs = 15_000;

export type FailedRefresh = {
  /** The interval if it had succeeded. */
  plannedMs: number;
  consecutiveFailures: number;
  retryAfterMs: number | null;
  circuitOpenMs?: number | null;
  /** In [0, 1). */
  random: number;
  cadenceScale: number;
};

/** Milliseconds until a failed refresh is repeated. Full jitter: a carrier that recovers isn't hit by all at once. */
export function retryWaitMs(failed: FailedRefresh): number {
  const { random, circuitOpenMs = null } = failed;
  const waitMs = circuitOpenMs === null ? backoffMs(failed) : circuitOpenMs + random * resumeSpreadMs;
  return Math.max(waitMs, honoredMs(failed.retryAfterMs) * (1 + 0.1 * random));
}

/** The carrier's `Retry-After` as far as it is honored. */
export function honoredMs(retryAfterMs: number | null): number {
  return Math.min(Math.max(retryAfterMs ?? 0, 0), maxRetryAfterMs);
}

function backoffMs({ plannedMs, consecutiveFailures, random, cadenceScale }: FailedRefresh): number {
  const ceilingMs = Math.min(plannedMs, backoffCapMs, backoffBaseMs * 2 ** Math.min(consecutiveFailures, 20));
  return Math.max(minIntervalMs, random * (ceilingMs / cadenceScale));
}
