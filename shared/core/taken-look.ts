import { canonicalReading } from '#shared/domain/reading.ts';
import type { RefreshSubject } from '#shared/domain/refresh.ts';
import type { LookOutcome, LookResult } from '#shared/domain/shipment.ts';
import type { CoreContext } from './core-context.ts';
import { hasEligibleEvent, type PlannedLook } from './plan-next-look.ts';
import { sha256Hex } from './sha256-hex.ts';

/** A look at a carrier that has been taken. `budgetPressure` (demand over budget at the carrier) puts off the next one. */
export type TakenLook = {
  subject: RefreshSubject;
  look: LookResult;
  traceId: string | null;
  traceparent: string | null;
  budgetPressure: number;
};

/** A look with everything that is known before the database is asked. `nowMs` is Postgres's time. */
export type Work = PlannedLook &
  TakenLook & {
    /** Of what the carrier said; null: it said nothing, or nothing new. */
    readingHash: string | null;
    isSameReading: boolean;
    /** An event that lay too far ahead when the journey was composed counts by now. */
    eligible: boolean;
  };

/** `stale`: the epoch had moved on or the lease ran out, so nothing was written. */
export type RecordedLook = { outcome: LookOutcome; stale: boolean };

/** Prepares the recording of a look: compares what the carrier said with what it said last. */
export function prepareLook(ctx: CoreContext, taken: TakenLook): Work {
  const { subject, look } = taken;
  const nowMs = ctx.now().getTime() + subject.clockOffsetMs;
  const readingHash = look.outcome === 'found' ? sha256Hex(canonicalReading(look.reading)) : null;
  const isSameReading = readingHash !== null && readingHash === subject.polling.readingHash;
  return { ...taken, ctx, nowMs, readingHash, isSameReading, eligible: hasEligibleEvent({ subject, nowMs }) };
}

export function sourceOfLook(look: LookResult): string {
  return look.outcome === 'found' ? look.reading.source : look.source;
}

export function answerHashOf(look: LookResult): string | null {
  return look.outcome === 'found' ? (look.answerHash ?? null) : null;
}
