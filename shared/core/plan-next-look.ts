import { type CadenceResult, nextCheck } from '#shared/domain/cadence.ts';
import type { CadenceJourney } from '#shared/domain/cadence-phase.ts';
import type { RefreshSubject } from '#shared/domain/refresh.ts';
import type { LookOutcome, LookResult, TrackingReason } from '#shared/domain/shipment.ts';
import type { PollingOutcome } from '#shared/store/polling.ts';
import type { CoreContext } from './core-context.ts';

/** A look with what planning needs to know of it. `nowMs` is Postgres's time; `budgetPressure` is demand over budget at the carrier. */
export type PlannedLook = {
  ctx: CoreContext;
  subject: RefreshSubject;
  look: LookResult;
  nowMs: number;
  budgetPressure: number;
};

/** An event that lay too far ahead when the journey was composed counts by now. */
export function hasEligibleEvent({ subject, nowMs }: Pick<PlannedLook, 'subject' | 'nowMs'>): boolean {
  const { nextEligibleAt } = subject.journey;
  return nextEligibleAt !== null && Date.parse(nextEligibleAt) <= nowMs;
}

/** Why a look gave no data; null when it gave some. */
export function reasonOf(look: LookResult): TrackingReason | null {
  return look.outcome === 'not_found' || look.outcome === 'error' ? look.reason : null;
}

/** The tracking state after a look, and when to look again. */
export function planNextLook(
  planned: PlannedLook,
  after: { journey: CadenceJourney; outcome: LookOutcome },
): CadenceResult {
  const { ctx, subject, look, nowMs } = planned;
  const { polling } = subject;
  return nextCheck(
    {
      mode: subject.transportMode,
      state: polling.state,
      reason: polling.reason,
      journey: after.journey,
      outcome: after.outcome,
      outcomeReason: reasonOf(look),
      permanent: look.outcome === 'error' && look.permanent,
      retryAfterMs: look.outcome === 'error' ? look.retryAfterMs : null,
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

type LookEnd = {
  plan: CadenceResult;
  readingHash: string | null;
  answerHash: string | null;
  changed: boolean;
  traceId: string | null;
};

/** What is written of it. Due times are intervals: Postgres adds them to its own clock, so that a worker with a wrong clock moves none. */
export function pollingOutcomeOf(
  { subject, look, nowMs }: PlannedLook,
  { plan, readingHash, answerHash, changed, traceId }: LookEnd,
): PollingOutcome {
  const secondsUntil = (atMs: number | null): number | null =>
    atMs === null ? null : Math.max(0, (atMs - nowMs) / 1000);
  return {
    epoch: subject.epoch,
    state: plan.state,
    reason: plan.reason,
    nextCheckInS: secondsUntil(plan.nextCheckAtMs),
    staleInS: look.outcome === 'found' && look.stale === true ? 0 : secondsUntil(plan.staleAtMs),
    consecutiveFailures: plan.consecutiveFailures,
    readingHash,
    answerHash,
    source: look.outcome === 'found' ? look.reading.source : look.source,
    traceId,
    succeeded: look.outcome === 'found' || look.outcome === 'unchanged',
    changed,
  };
}
