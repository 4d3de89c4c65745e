import type { HealthRow, ServedRow } from '#shared/core/carriers/report-carrier-health.ts';
import type { TrackingReason } from '#shared/domain/record/shipment.ts';
import type { TokenBucket } from '#shared/limits/token-bucket.ts';
import type { Circuit } from './circuit.ts';

/** A carrier's recent responses to one credential, as seen by this process. Times are ISO UTC. */
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
  /** `failure`: what happened instead of a response, in a few words. */
  failed: (durationMs: number, reason: TrackingReason, failure: string) => void;
  /** The last failure; null before the first. */
  lastFailure: () => string | null;
  read: () => CarrierRecord;
};

const windowMs = 5 * 60_000;
const maxRequests = 500;

/** Records the requests of the last five minutes, at most the newest 500. */
export function createCarrierRecorder(now: () => Date): CarrierRecorder {
  let requests: { atMs: number; durationMs: number; isSuccess: boolean }[] = [];
  let lastSuccessAt: string | null = null;
  let lastErrorAt: string | null = null;
  let lastErrorReason: TrackingReason | null = null;
  let lastFailure: string | null = null;

  const add = (durationMs: number, isSuccess: boolean): void => {
    requests.push({ atMs: now().getTime(), durationMs, isSuccess });
    if (requests.length > 2 * maxRequests) requests = requests.slice(-maxRequests);
  };

  return {
    succeeded: (durationMs) => {
      add(durationMs, true);
      lastSuccessAt = now().toISOString();
    },
    failed: (durationMs, reason, failure) => {
      add(durationMs, false);
      lastErrorAt = now().toISOString();
      lastErrorReason = reason;
      lastFailure = failure;
    },
    lastFailure: () => lastFailure,
    read: () => {
      const sinceMs = now().getTime() - windowMs;
      requests = requests.slice(-maxRequests).filter(({ atMs }) => atMs >= sinceMs);
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

function quantile(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : Math.round(value * 10) / 10;
}

type Service = {
  connector: string;
  credentialId: string;
  bucket: TokenBucket;
  circuit: Circuit;
  recorder: CarrierRecorder;
};

/**
 * Summarizes the carriers' responses to this worker, by connector and credential; for the health table and for metrics.
 */
export function carrierHealth(access: { services: () => readonly Service[] }, now: () => Date): HealthRow[] {
  return access.services().map(({ connector, credentialId, bucket, circuit, recorder }) => {
    const { tokens, closedMs } = bucket.standing();
    return {
      ...recorder.read(),
      connector,
      credentialId,
      circuit: circuit.state(),
      budgetLeft: closedMs > 0 ? 0 : tokens,
      closedUntil: closedMs > 0 ? new Date(now().getTime() + closedMs).toISOString() : null,
    };
  });
}

/** Lists the credentials with the accounts whose shipments they served. */
export function credentialsServed(access: { served: () => readonly ServedRow[] }): ServedRow[] {
  return access
    .served()
    .map(({ accountId, connector, carrier, credentialId }) => ({ accountId, connector, carrier, credentialId }));
}
