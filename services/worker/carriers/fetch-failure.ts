import type { FetchResult, TrackingReason } from '#shared/domain/shipments/shipment.ts';
import type { CarrierResponse } from './carrier.ts';

/** The network failed: refused, reset, timed out, or a body over the limit. The message is safe to log. */
export class CarrierUnreachable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = 'CarrierUnreachable';
  }
}

export type FetchFailureOptions = { httpStatus?: number; permanent?: boolean; retryAfterMs?: number | null };

/** Ends one refresh with a reason; `look` turns it into its result. The message is safe to show to the account. */
export class FetchFailure extends Error {
  readonly reason: TrackingReason;
  readonly httpStatus: number | null;
  readonly permanent: boolean;
  readonly retryAfterMs: number | null;

  constructor(reason: TrackingReason, detail: string, options: FetchFailureOptions = {}) {
    super(detail);
    this.name = 'FetchFailure';
    this.reason = reason;
    this.httpStatus = options.httpStatus ?? null;
    this.permanent = options.permanent ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** Whatever was thrown during a refresh, as a failure: the network's, or else one of our own that names no more than its kind. */
export function asFetchFailure(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error;
  if (error instanceof CarrierUnreachable) return new FetchFailure('carrier_unreachable', error.message);
  return new FetchFailure(
    'internal_error',
    `reading the carrier's answer failed (${error instanceof Error ? error.name : 'unknown error'})`,
  );
}

/** The failure as a result. */
export function failedFetch(failure: FetchFailure, context: { durationMs: number; source: string }): FetchResult {
  return {
    outcome: 'error',
    httpStatus: failure.httpStatus,
    durationMs: context.durationMs,
    reason: failure.reason,
    permanent: failure.permanent,
    retryAfterMs: failure.retryAfterMs,
    detail: failure.message,
    source: context.source,
  };
}

const mostRetryAfterMs = 7 * 86_400_000;
/** A number of seconds beyond this is a time since 1970, as many gateways write `RateLimit-Reset`. */
const leastEpochS = 1_000_000_000;

/** Milliseconds of a `Retry-After` (seconds or an HTTP date), else of `RateLimit-Reset` (seconds); null when neither can be read. */
export function readRetryAfter(headers: Headers, now: Date): number | null {
  const text = headers.get('retry-after')?.trim() || headers.get('ratelimit-reset')?.trim();
  if (!text) return null;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : null;
  if (seconds !== null && seconds < leastEpochS) return Math.min(seconds * 1000, mostRetryAfterMs);
  const at = seconds === null ? Date.parse(text) : seconds * 1000;
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now.getTime()), mostRetryAfterMs);
}

/** What a status other than success means for the refresh, in the same way for every carrier. */
export function failureOfStatus(
  response: CarrierResponse,
  context: { now: Date; carrierSays: string | null },
): FetchFailure {
  const httpStatus = response.status;
  const said = context.carrierSays ? `: ${context.carrierSays}` : '';
  const retryAfterMs = readRetryAfter(response.headers, context.now);
  if (httpStatus === 400 || httpStatus === 422) {
    return new FetchFailure('invalid_identifier', `the carrier refuses this reference (${httpStatus})${said}`, {
      httpStatus,
      permanent: true,
    });
  }
  if (httpStatus === 401 || httpStatus === 403) {
    return new FetchFailure('carrier_auth_failed', `the carrier refuses the credentials (${httpStatus})${said}`, {
      httpStatus,
    });
  }
  if (httpStatus === 429)
    return new FetchFailure('carrier_rate_limited', `the carrier asks to slow down (429)${said}`, {
      httpStatus,
      retryAfterMs,
    });
  if (httpStatus === 408 || httpStatus >= 500) {
    return new FetchFailure('carrier_unreachable', `the carrier fails (${httpStatus})${said}`, {
      httpStatus,
      retryAfterMs,
    });
  }
  return new FetchFailure(
    'unrecognized_response',
    `the carrier answers ${httpStatus}, which is not part of its protocol${said}`,
    {
      httpStatus,
    },
  );
}
