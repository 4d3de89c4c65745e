import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import type { FetchResult, RefusedBy, TrackingReason } from '#shared/domain/record/shipment.ts';
import type { CarrierResponse } from './carrier.ts';
import { type CodedConnector, refusalOfNumber } from './refused-number.ts';

/**
 * A network failure: connection refused or reset, timeout, or a response body over the limit. The message is safe to
 * log.
 */
export class CarrierUnreachable extends Error {
  constructor(detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = 'CarrierUnreachable';
  }
}

export type FetchFailureOptions = {
  httpStatus?: number;
  permanent?: boolean;
  retryAfterMs?: number | null;
  /** The response, if the carrier answered and nothing of it could be read. */
  unreadable?: UnreadableEvent[];
  refusedBy?: RefusedBy;
};

/** Ends one refresh with a reason; `fetch` converts it to a result. The message is safe to show to the account. */
export class FetchFailure extends Error {
  readonly reason: TrackingReason;
  readonly httpStatus: number | null;
  readonly permanent: boolean;
  readonly retryAfterMs: number | null;
  readonly unreadable: UnreadableEvent[] | null;
  readonly refusedBy: RefusedBy | null;

  constructor(reason: TrackingReason, detail: string, options: FetchFailureOptions = {}) {
    super(detail);
    this.name = 'FetchFailure';
    this.reason = reason;
    this.httpStatus = options.httpStatus ?? null;
    this.permanent = options.permanent ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.unreadable = options.unreadable ?? null;
    this.refusedBy = options.refusedBy ?? null;
  }
}

/**
 * Converts any error thrown during a refresh to a failure. The message of an internal error is replaced by its name.
 */
export function asFetchFailure(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error;
  if (error instanceof CarrierUnreachable) return new FetchFailure('carrier_unreachable', error.message);
  return new FetchFailure(
    'internal_error',
    `parsing the carrier's response failed (${error instanceof Error ? error.name : 'unknown error'})`,
  );
}

/** Converts the failure to a result. */
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
    ...(failure.unreadable === null ? {} : { unreadable: failure.unreadable }),
    ...(failure.refusedBy === null ? {} : { refusedBy: failure.refusedBy }),
  };
}

const maxRetryAfterMs = 7 * 86_400_000;
/** Larger numbers of seconds are Unix times, as many gateways write `RateLimit-Reset`. */
const minEpochS = 1_000_000_000;

/**
 * Milliseconds of `Retry-After` (seconds or an HTTP date), or else of `RateLimit-Reset` (seconds). Null when neither is
 * valid.
 */
export function readRetryAfter(headers: Headers, now: Date): number | null {
  const text = headers.get('retry-after')?.trim() || headers.get('ratelimit-reset')?.trim();
  if (!text) return null;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : null;
  if (seconds !== null && seconds < minEpochS) return Math.min(seconds * 1000, maxRetryAfterMs);
  const at = seconds === null ? Date.parse(text) : seconds * 1000;
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now.getTime()), maxRetryAfterMs);
}

/** A 401 or 403 with a web page comes from a firewall or proxy before the carrier's API, which reads no credentials. */
export function isRefusingPage({ status, headers, text }: CarrierResponse): boolean {
  if (status !== 401 && status !== 403) return false;
  return /^\s*</.test(text) || /^text\/html\b/i.test(headers.get('content-type') ?? '');
}

/** The failure that an unsuccessful status stands for. `connector`: whose codes for a wrong number are known. */
export function failureOfStatus(
  response: CarrierResponse,
  context: { now: Date; carrierMessage: string | null; connector?: CodedConnector },
): FetchFailure {
  const httpStatus = response.status;
  const suffix = context.carrierMessage ? `: ${context.carrierMessage}` : '';
  const retryAfterMs = readRetryAfter(response.headers, context.now);
  if (httpStatus === 400 || httpStatus === 422) {
    const refusal = refusalOfNumber(response.text, context.connector);
    if (refusal === 'not_yet')
      return new FetchFailure('carrier_not_found_yet', `the carrier has no data yet (${httpStatus})${suffix}`, {
        httpStatus,
      });
    return new FetchFailure('invalid_identifier', `the carrier rejected this reference (${httpStatus})${suffix}`, {
      httpStatus,
      permanent: refusal === 'malformed',
    });
  }
  if (isRefusingPage(response)) {
    return new FetchFailure('carrier_unreachable', `a firewall of the carrier returned a web page (${httpStatus})`, {
      httpStatus,
      retryAfterMs,
    });
  }
  if (httpStatus === 401 || httpStatus === 403) {
    return new FetchFailure('carrier_auth_failed', `the carrier refused access (${httpStatus})${suffix}`, {
      httpStatus,
      refusedBy: httpStatus === 401 && response.signedIn !== true ? 'key' : 'call',
    });
  }
  if (httpStatus === 429)
    return new FetchFailure('carrier_rate_limited', `the carrier's rate limit was reached (429)${suffix}`, {
      httpStatus,
      retryAfterMs,
    });
  if (httpStatus === 408 || httpStatus >= 500) {
    return new FetchFailure('carrier_unreachable', `the carrier returned a server error (${httpStatus})${suffix}`, {
      httpStatus,
      retryAfterMs,
    });
  }
  return new FetchFailure(
    'unrecognized_response',
    `the carrier returned the unexpected status ${httpStatus}${suffix}`,
    {
      httpStatus,
    },
  );
}
