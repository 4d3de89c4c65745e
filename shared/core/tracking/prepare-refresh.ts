import { cutText } from '#shared/domain/cut-text.ts';
import { countUnreadable, type Unreadable, type UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { boundPieces } from '#shared/domain/journey/stated-facts.ts';
import type { FetchResult, RefreshOutcome, TrackingReason } from '#shared/domain/record/shipment.ts';
import { type CadenceResult, nextRefresh } from '#shared/domain/refresh/cadence.ts';
import type { CadenceJourney } from '#shared/domain/refresh/cadence-phase.ts';
import { canonicalReading } from '#shared/domain/refresh/reading.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import type { PollingOutcome } from '#shared/store/tracking/refreshes.ts';
import type { CoreContext } from '../core-context.ts';
import { sha256Hex } from '../secrets/new-secret.ts';

/** A refresh to be recorded. `budgetPressure` (demand over budget at the carrier) delays the next one. */
export type RefreshInput = {
  subject: RefreshSubject;
  result: FetchResult;
  traceId: string | null;
  /** True when the trace store will keep the trace. */
  traceKept: boolean;
  traceparent: string | null;
  budgetPressure: number;
};

/** A refresh with everything that is known without asking the database. `nowMs` is Postgres's time. */
export type PreparedRefresh = RefreshInput & {
  nowMs: number;
  /** Hash of the reading; null if there is no reading, or if the connector already knew that it is the last one. */
  readingHash: string | null;
  isSameReading: boolean;
  /** An event that was too far in the future when the journey was composed counts now. */
  hasEligibleEvent: boolean;
};

/** Compares the reading with the last one. */
export function prepareRefresh(ctx: CoreContext, input: RefreshInput): PreparedRefresh {
  const { subject } = input;
  const result = asUnrecognized(withBoundPieces(input.result));
  const nowMs = ctx.now().getTime() + subject.clockOffsetMs;
  const readingHash = result.outcome === 'found' ? sha256Hex(canonicalReading(result.reading)) : null;
  const isSameReading = readingHash !== null && readingHash === subject.polling.readingHash;
  const { nextEligibleAt } = subject.journey;
  const hasEligibleEvent = nextEligibleAt !== null && Date.parse(nextEligibleAt) <= nowMs;
  return { ...input, result, nowMs, readingHash, isSameReading, hasEligibleEvent };
}

function withBoundPieces(result: FetchResult): FetchResult {
  return result.outcome === 'found' ? { ...result, reading: boundPieces(result.reading) } : result;
}

/** A response of which nothing could be read is not a success: the carrier may report any state. */
function asUnrecognized(result: FetchResult): FetchResult {
  if (result.outcome !== 'found' || result.reading.events.length > 0) return result;
  const { unreadable, source } = result.reading;
  const counted = countUnreadable(unreadable);
  if (counted === null) return result;
  const { count, reasons } = counted;
  return {
    outcome: 'error',
    httpStatus: result.httpStatus,
    durationMs: result.durationMs,
    reason: 'unrecognized_response',
    permanent: false,
    retryAfterMs: null,
    detail: `${count === 1 ? 'the only event could not' : `none of the ${count} events could`} be read: ${reasons[0] ?? ''}`,
    source,
    unreadable,
  };
}

/** The tracking state after a refresh, and when the next one is due. */
export function scheduleNextRefresh(
  ctx: CoreContext,
  { subject, result, nowMs, budgetPressure }: PreparedRefresh,
  after: { journey: CadenceJourney; outcome: RefreshOutcome },
): CadenceResult {
  const { polling } = subject;
  return nextRefresh(
    {
      mode: subject.transportMode,
      state: polling.state,
      reason: polling.reason,
      journey: after.journey,
      outcome: after.outcome,
      outcomeReason: reasonOf(result),
      permanent: result.outcome === 'error' && result.permanent,
      retryAfterMs: result.outcome === 'error' ? result.retryAfterMs : null,
      circuitOpenMs: result.outcome === 'error' ? (result.circuitOpenMs ?? null) : null,
      nothingReadable: result.outcome === 'error' && result.unreadable !== undefined,
      partial: result.outcome === 'found' && result.reading.partial !== undefined,
      consecutiveFailures: polling.consecutiveFailures,
      trackingSinceMs: Date.parse(subject.trackingSince),
      resumedAtMs: subject.trackingSince === subject.createdAt ? null : Date.parse(subject.trackingSince),
      lastSucceededAtMs: polling.lastSucceededAt === null ? null : Date.parse(polling.lastSucceededAt),
      lastChangedAtMs: polling.lastChangedAt === null ? null : Date.parse(polling.lastChangedAt),
      random: Math.random(),
      cadenceScale: 1 / ctx.settings.cadenceScale,
      pushActive: subject.pushActive === true,
      budgetPressure,
    },
    nowMs,
  );
}

/** True when a client sees the tracking state or its reason change. */
export function changesTracking({ polling }: RefreshSubject, schedule: CadenceResult): boolean {
  return schedule.state !== polling.state || schedule.reason !== polling.reason;
}

type Ending = { schedule: CadenceResult; readingHash: string | null; changed: boolean };

/** The polling state after a refresh. Postgres adds the intervals to its own clock: a wrong worker clock is harmless. */
export function pollingOutcomeOf(
  { subject, result, nowMs, traceId, traceKept }: PreparedRefresh,
  { schedule, readingHash, changed }: Ending,
): PollingOutcome {
  const secondsUntil = (atMs: number | null): number | null =>
    atMs === null ? null : Math.max(0, (atMs - nowMs) / 1000);
  return {
    epoch: subject.epoch,
    state: schedule.state,
    reason: schedule.reason,
    nextRefreshInS: secondsUntil(schedule.nextRefreshAtMs),
    staleInS: result.outcome === 'found' && result.stale === true ? 0 : secondsUntil(schedule.staleAtMs),
    consecutiveFailures: schedule.consecutiveFailures,
    readingHash,
    answerHash: result.outcome === 'found' ? (result.answerHash ?? null) : null,
    source: sourceOf(result),
    traceId,
    traceKept,
    succeeded: result.outcome === 'found' || result.outcome === 'unchanged',
    changed,
    read: result.outcome === 'found',
    unreadable: unreadableOf(result),
  };
}

/** Returns the reason why a refresh returned no data, or only a part; null if it returned everything. */
export function reasonOf(result: FetchResult): TrackingReason | null {
  if (result.outcome === 'found') return result.reading.partial === undefined ? null : 'partial_response';
  return result.outcome === 'not_found' || result.outcome === 'error' ? result.reason : null;
}

/** The reason in words, for the account; null if there is nothing to explain. */
export function detailOf(result: FetchResult): string | null {
  const detail =
    result.outcome === 'found' ? result.reading.partial : result.outcome === 'error' ? result.detail : null;
  return detail === undefined || detail === null ? null : asSentence(detail);
}

/** Events of the response that could not be read. */
export function unreadableEventsOf(result: FetchResult): readonly UnreadableEvent[] {
  if (result.outcome === 'found') return result.reading.unreadable;
  return result.outcome === 'error' ? (result.unreadable ?? []) : [];
}

/** Returns the parts of the response that could not be read. */
export function unreadableOf(result: FetchResult): Unreadable | null {
  return countUnreadable(unreadableEventsOf(result));
}

const maxDetailLength = 500;

/** Details start in lower case where a log line continues with them. */
function asSentence(detail: string): string {
  const text = cutText(detail.trim(), maxDetailLength);
  const whole = /[.!?…]$/.test(text) ? text : `${text}.`;
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

export function sourceOf(result: FetchResult): string {
  return result.outcome === 'found' ? result.reading.source : result.source;
}
