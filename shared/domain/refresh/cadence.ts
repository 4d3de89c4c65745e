import { pushCadenceFactor } from '../carrier-subscriptions/carrier-subscription.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import type { RefreshOutcome, TrackingReason, TrackingState } from '../record/shipment.ts';
import { type CadenceJourney, phaseIntervalMs } from './cadence-phase.ts';
import { type CadencePeriods, endOfJourney, periodsOf } from './end-of-journey.ts';
import { honoredMs, minIntervalMs, retryWaitMs } from './retry-wait.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The carrier is no longer polled until the client resumes tracking. */
const endedStates: readonly TrackingState[] = ['failed', 'stopped', 'completed'];

const failuresUntilDegraded = 3;
const awaitingLadderMs = [15 * minuteMs, hourMs, 4 * hourMs, 12 * hourMs];

export type CadenceInput = {
  mode: TransportMode;
  /** State and reason before this refresh. */
  state: TrackingState;
  reason: TrackingReason | null;
  /** The journey after this refresh. */
  journey: CadenceJourney;
  outcome: RefreshOutcome;
  /** The reason of `not_found` and `error`. Otherwise null. */
  outcomeReason: TrackingReason | null;
  /** An error that no retry fixes (400, 422). */
  permanent: boolean;
  retryAfterMs: number | null;
  /**
   * The carrier fails for other shipments too, and lets the next call through after this many ms. The shipment's own
   * failures then don't delay it.
   */
  circuitOpenMs?: number | null;
  /** The carrier answered, and nothing of its answer could be read. No retry makes it readable. */
  nothingReadable?: boolean;
  /** The carrier returned only a part of its list. */
  partial?: boolean;
  /** Consecutive errors before this refresh. */
  consecutiveFailures: number;
  /** When tracking started: the registration, or the last resume. */
  trackingSinceMs: number;
  /**
   * When the client last resumed tracking. Null or absent: never. A completed journey is then tracked for its period
   * once more.
   */
  resumedAtMs?: number | null;
  /** The last refresh before this one that returned data. Null: none. */
  lastSucceededAtMs: number | null;
  /** The last refresh before this one that changed the record. Null: none. */
  lastChangedAtMs: number | null;
  /** In [0, 1). */
  random: number;
  /** Divides the intervals between refreshes, but neither the periods nor `Retry-After`. 1 in production. */
  cadenceScale: number;
  /**
   * The carrier also pushes events, so polling only verifies them: intervals are six times as long, but not extended
   * beyond a day.
   */
  pushActive?: boolean;
  /** Demand over budget of the carrier. Above 1 it stretches the intervals. Default: 1. */
  budgetPressure?: number;
  periods?: CadencePeriods;
};

export type CadenceResult = {
  state: TrackingState;
  reason: TrackingReason | null;
  /** Null: no more refreshes. */
  nextRefreshAtMs: number | null;
  /** When the record becomes stale. Null: before the first success, and once tracking has ended for good. */
  staleAtMs: number | null;
  consecutiveFailures: number;
};

/** Computes the tracking state and the next refresh after a refresh. Pure. */
export function nextRefresh(input: CadenceInput, nowMs: number): CadenceResult {
  const { state, reason } = input;
  // A refresh that was running when tracking ended does not restart it.
  if (isTrackingEnded(state)) {
    return ended(input, nowMs, { state, reason, consecutiveFailures: input.consecutiveFailures });
  }
  // Also when the carrier has dropped a finished journey or is no longer reachable.
  const end = endOfJourney(input, nowMs);
  if (end !== null && end.atMs <= nowMs)
    return ended(input, nowMs, { state: end.state, reason: end.reason, consecutiveFailures: 0 });
  if (input.outcome === 'error' && !isWaiting(input.outcomeReason)) return afterError(input, nowMs);
  if (input.outcome === 'error' || input.outcome === 'not_found') return afterNotFound(input, nowMs);
  return afterSuccess(input, nowMs, end?.atMs ?? null);
}

/** True when the carrier is no longer polled. */
export function isTrackingEnded(state: TrackingState): boolean {
  return endedStates.includes(state);
}

function afterSuccess(input: CadenceInput, nowMs: number, endMs: number | null): CadenceResult {
  if (givesUp(input, nowMs))
    return ended(input, nowMs, { state: 'failed', reason: 'no_updates_60d', consecutiveFailures: 0 });
  const nextMs = nowMs + jittered(scaled(plannedIntervalMs(input, nowMs), input), input);
  return {
    ...(input.partial === true
      ? { state: 'degraded' as const, reason: 'partial_response' as const }
      : { state: 'active' as const, reason: null }),
    nextRefreshAtMs: notAfter(nextMs, [endMs, eligibleMs(input, nowMs)], nowMs),
    staleAtMs: staleAtMs(input, nowMs),
    consecutiveFailures: 0,
  };
}

/** The carrier works, but it returns no data until something else happens. */
const waitingReasons: readonly (TrackingReason | null)[] = ['credentials_missing', 'data_withheld'];

function isWaiting(reason: TrackingReason | null): boolean {
  return waitingReasons.includes(reason);
}

/**
 * The carrier doesn't know the number yet, doesn't show it to these credentials, or there are none yet. Not an error,
 * but it must end.
 */
function afterNotFound(input: CadenceInput, nowMs: number): CadenceResult {
  const reason = input.outcomeReason ?? 'carrier_not_found_yet';
  const sinceMs = awaitingSinceMs(input);
  if (input.permanent || nowMs - sinceMs >= periodsOf(input).awaitingGivesUpMs || givesUp(input, nowMs)) {
    return ended(input, nowMs, {
      state: 'failed',
      reason: reason === 'carrier_not_found_yet' ? 'not_found' : reason,
      consecutiveFailures: 0,
    });
  }
  const nextMs = nowMs + jittered(scaled(awaitingIntervalMs(nowMs - sinceMs, input.cadenceScale), input), input);
  return {
    state: 'awaiting_carrier',
    reason,
    nextRefreshAtMs: Math.max(
      notAfter(nextMs, [eligibleMs(input, nowMs)], nowMs),
      nowMs + honoredMs(input.retryAfterMs),
    ),
    staleAtMs: staleAtMs(input, nowMs),
    consecutiveFailures: 0,
  };
}

function afterError(input: CadenceInput, nowMs: number): CadenceResult {
  const consecutiveFailures = input.consecutiveFailures + 1;
  const reason = input.outcomeReason ?? 'internal_error';
  if (input.permanent) return ended(input, nowMs, { state: 'failed', reason, consecutiveFailures });
  if (givesUp(input, nowMs))
    return ended(input, nowMs, { state: 'failed', reason: 'no_updates_60d', consecutiveFailures });

  const waitMs = retryWaitMs({ ...input, plannedMs: plannedIntervalMs(input, nowMs) });
  return {
    state: input.nothingReadable === true || consecutiveFailures >= failuresUntilDegraded ? 'degraded' : input.state,
    reason,
    nextRefreshAtMs: Math.round(nowMs + waitMs),
    staleAtMs: staleAtMs(input, nowMs),
    consecutiveFailures,
  };
}

function ended(
  input: CadenceInput,
  nowMs: number,
  end: Pick<CadenceResult, 'state' | 'reason' | 'consecutiveFailures'>,
): CadenceResult {
  // A failed shipment becomes stale like any other. A completed or stopped one is final.
  return { ...end, nextRefreshAtMs: null, staleAtMs: end.state === 'failed' ? staleAtMs(input, nowMs) : null };
}

function givesUp(input: CadenceInput, nowMs: number): boolean {
  if (input.outcome === 'changed') return false;
  return nowMs - Math.max(input.trackingSinceMs, input.lastChangedAtMs ?? 0) >= periodsOf(input).noUpdatesGivesUpMs;
}

function plannedIntervalMs(input: CadenceInput, nowMs: number): number {
  const intervalMs = phaseIntervalMs(input.journey, input.mode, nowMs);
  return input.pushActive === true ? Math.max(intervalMs, Math.min(intervalMs * pushCadenceFactor, dayMs)) : intervalMs;
}

/**
 * Derived from the time already waited, so that no counter is stored. 15 % tolerance covers the jitter of earlier
 * steps.
 */
function awaitingIntervalMs(waitedMs: number, cadenceScale: number): number {
  let dueMs = 0;
  for (const stepMs of awaitingLadderMs) {
    dueMs += stepMs;
    if (waitedMs * cadenceScale < dueMs * 0.85) return stepMs;
  }
  return awaitingLadderMs.at(-1) ?? 12 * hourMs;
}

function awaitingSinceMs(input: CadenceInput): number {
  return Math.max(input.trackingSinceMs, input.lastSucceededAtMs ?? 0);
}

/** Last success plus twice the scheduled interval, without jitter. */
function staleAtMs(input: CadenceInput, nowMs: number): number | null {
  const found = input.outcome === 'changed' || input.outcome === 'unchanged';
  const succeededAtMs = found ? nowMs : input.lastSucceededAtMs;
  return succeededAtMs === null ? null : Math.round(succeededAtMs + 2 * scaled(plannedIntervalMs(input, nowMs), input));
}

function scaled(intervalMs: number, { cadenceScale, budgetPressure = 1 }: CadenceInput): number {
  return Math.max(minIntervalMs, (intervalMs * Math.max(1, budgetPressure)) / cadenceScale);
}

/** ± 10 %, so that shipments registered together spread out. */
function jittered(intervalMs: number, { random }: CadenceInput): number {
  return Math.max(minIntervalMs, intervalMs * (0.9 + 0.2 * random));
}

function notAfter(nextMs: number, limits: readonly (number | null)[], nowMs: number): number {
  const limitMs = Math.min(nextMs, ...limits.filter((limit) => limit !== null));
  return Math.round(Math.max(limitMs, nowMs + minIntervalMs));
}

function eligibleMs({ journey }: CadenceInput, nowMs: number): number | null {
  const atMs = journey.nextEligibleAt === null ? null : Date.parse(journey.nextEligibleAt);
  return atMs === null || atMs <= nowMs ? null : atMs;
}
