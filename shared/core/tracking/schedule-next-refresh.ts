import type { FetchResult, RefreshOutcome, TrackingReason } from '#shared/domain/shipments/shipment.ts';
import { type CadenceResult, nextRefresh } from '#shared/domain/tracking/cadence.ts';
import type { CadenceJourney } from '#shared/domain/tracking/cadence-phase.ts';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import type { PollingOutcome } from '#shared/store/tracking/polling.ts';
import type { CoreContext } from '../core-context.ts';

/** A refresh with what planning needs to know of it. `nowMs` is Postgres's time; `budgetPressure` is demand over budget at the carrier. */
export type ScheduledRefresh = {
  ctx: CoreContext;
  subject: RefreshSubject;
  refresh: FetchResult;
  nowMs: number;
  budgetPressure: number;
};

/** An event that lay too far ahead when the journey was composed counts by now. */
export function hasEligibleEvent({ subject, nowMs }: Pick<ScheduledRefresh, 'subject' | 'nowMs'>): boolean {
  const { nextEligibleAt } = subject.journey;
  return nextEligibleAt !== null && Date.parse(nextEligibleAt) <= nowMs;
}

/** Why a refresh gave no data; null when it gave some. */
export function reasonOf(refresh: FetchResult): TrackingReason | null {
  return refresh.outcome === 'not_found' || refresh.outcome === 'error' ? refresh.reason : null;
}

/** The tracking state after a refresh, and when to look again. */
export function scheduleNextRefresh(
  planned: ScheduledRefresh,
  after: { journey: CadenceJourney; outcome: RefreshOutcome },
): CadenceResult {
  const { ctx, subject, refresh, nowMs } = planned;
  const { polling } = subject;
  return nextRefresh(
    {
      mode: subject.transportMode,
      state: polling.state,
      reason: polling.reason,
      journey: after.journey,
      outcome: after.outcome,
      outcomeReason: reasonOf(refresh),
      permanent: refresh.outcome === 'error' && refresh.permanent,
      retryAfterMs: refresh.outcome === 'error' ? refresh.retryAfterMs : null,
      consecutiveFailures: polling.consecutiveFailures,
      trackingSinceMs: Date.parse(subject.trackingSince),
      resumedAtMs: subject.trackingSince === subject.createdAt ? null : Date.parse(subject.trackingSince),
      lastSucceededAtMs: polling.lastSucceededAt === null ? null : Date.parse(polling.lastSucceededAt),
      lastChangedAtMs: polling.lastChangedAt === null ? null : Date.parse(polling.lastChangedAt),
      random: Math.random(),
      cadenceScale: 1 / ctx.settings.cadenceScale,
      pushActive: subject.pushActive === true,
      budgetPressure: planned.budgetPressure,
    },
    nowMs,
  );
}

type RefreshEnd = {
  plan: CadenceResult;
  readingHash: string | null;
  answerHash: string | null;
  changed: boolean;
  traceId: string | null;
};

/** What is written of it. Due times are intervals: Postgres adds them to its own clock, so that a worker with a wrong clock moves none. */
export function pollingOutcomeOf(
  { subject, refresh, nowMs }: ScheduledRefresh,
  { plan, readingHash, answerHash, changed, traceId }: RefreshEnd,
): PollingOutcome {
  const secondsUntil = (atMs: number | null): number | null =>
    atMs === null ? null : Math.max(0, (atMs - nowMs) / 1000);
  return {
    epoch: subject.epoch,
    state: plan.state,
    reason: plan.reason,
    nextRefreshInS: secondsUntil(plan.nextRefreshAtMs),
    staleInS: refresh.outcome === 'found' && refresh.stale === true ? 0 : secondsUntil(plan.staleAtMs),
    consecutiveFailures: plan.consecutiveFailures,
    readingHash,
    answerHash,
    source: refresh.outcome === 'found' ? refresh.reading.source : refresh.source,
    traceId,
    succeeded: refresh.outcome === 'found' || refresh.outcome === 'unchanged',
    changed,
  };
}
