import type { TrackingReason } from '#shared/domain/shipments/shipment.ts';

/** How a carrier answered one credential lately, as this process saw it. Times are ISO UTC. */
export type CarrierRecord = {
  requests: number;
  succeeded: number;
  latencyP50Ms: number | null;
  latencyP95Ms: number | null;
  lastSuccessAt: string | null;
  lastErrorAt: string | null;
  lastErrorReason: TrackingReason | null;
};

export type CarrierRecorder = {
  succeeded: (durationMs: number) => void;
  /** `found`: what came instead of an answer, in a word or two of ours. */
  failed: (durationMs: number, reason: TrackingReason, found: string) => void;
  /** What the last failure was; null before the first. */
  lastFailure: () => string | null;
  read: () => CarrierRecord;
};

const windowMs = 5 * 60_000;
const mostRequests = 500;

/** Counts the requests of the last five minutes, at most the newest 500. */
export function createCarrierRecorder(now: () => Date): CarrierRecorder {
  let requests: { atMs: number; durationMs: number; isSuccess: boolean }[] = [];
  let lastSuccessAt: string | null = null;
  let lastErrorAt: string | null = null;
  let lastErrorReason: TrackingReason | null = null;
  let lastFailure: string | null = null;

  const add = (durationMs: number, isSuccess: boolean): void => {
    requests.push({ atMs: now().getTime(), durationMs, isSuccess });
    if (requests.length > 2 * mostRequests) requests = requests.slice(-mostRequests);
  };

  return {
    succeeded: (durationMs) => {
      add(durationMs, true);
      lastSuccessAt = now().toISOString();
    },
    failed: (durationMs, reason, found) => {
      add(durationMs, false);
      lastErrorAt = now().toISOString();
      lastErrorReason = reason;
      lastFailure = found;
    },
    lastFailure: () => lastFailure,
    read: () => {
      const sinceMs = now().getTime() - windowMs;
      requests = requests.slice(-mostRequests).filter(({ atMs }) => atMs >= sinceMs);
      const durations = requests.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
      return {
        requests: requests.length,
        succeeded: requests.filter(({ isSuccess }) => isSuccess).length,
        latencyP50Ms: quantile(durations, 0.5),
        latencyP95Ms: quantile(durations, 0.95),
        lastSuccessAt,
        lastErrorAt,
        lastErrorReason,
      };
    },
  };
}

/** Null of nothing. */
function quantile(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : Math.round(value * 10) / 10;
}
