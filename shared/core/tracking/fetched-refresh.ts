import type { FetchResult, RefreshOutcome } from '#shared/domain/shipments/shipment.ts';
import { canonicalReading } from '#shared/domain/tracking/reading.ts';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import type { CoreContext } from '../core-context.ts';
import { sha256Hex } from '../keys/new-secret.ts';
import { hasEligibleEvent, type ScheduledRefresh } from './schedule-next-refresh.ts';

/** A refresh that has been taken. `budgetPressure` (demand over budget at the carrier) puts off the next one. */
export type FetchedRefresh = {
  subject: RefreshSubject;
  refresh: FetchResult;
  traceId: string | null;
  traceparent: string | null;
  budgetPressure: number;
};

/** A refresh with everything that is known before the database is asked. `nowMs` is Postgres's time. */
export type Work = ScheduledRefresh &
  FetchedRefresh & {
    /** Of what the carrier said; null: it said nothing, or nothing new. */
    readingHash: string | null;
    isSameReading: boolean;
    /** An event that lay too far ahead when the journey was composed counts by now. */
    eligible: boolean;
  };

/** `stale`: the epoch had moved on or the lease ran out, so nothing was written. */
export type RecordedRefresh = { outcome: RefreshOutcome; stale: boolean };

/** Prepares the recording of a refresh: compares what the carrier said with what it said last. */
export function prepareRefresh(ctx: CoreContext, taken: FetchedRefresh): Work {
  const { subject, refresh } = taken;
  const nowMs = ctx.now().getTime() + subject.clockOffsetMs;
  const readingHash = refresh.outcome === 'found' ? sha256Hex(canonicalReading(refresh.reading)) : null;
  const isSameReading = readingHash !== null && readingHash === subject.polling.readingHash;
  return { ...taken, ctx, nowMs, readingHash, isSameReading, eligible: hasEligibleEvent({ subject, nowMs }) };
}

export function sourceOfRefresh(refresh: FetchResult): string {
  return refresh.outcome === 'found' ? refresh.reading.source : refresh.source;
}

export function answerHashOf(refresh: FetchResult): string | null {
  return refresh.outcome === 'found' ? (refresh.answerHash ?? null) : null;
}
