import type { TransportMode } from '../events/transport-mode.ts';
import type { RefreshOutcome, TrackingReason, TrackingState } from '../record/shipment.ts';
import { type CadenceJourney, evidenceTimeMs, isEmptyReturned } from './cadence-phase.ts';

const dayMs = 24 * 3_600_000;

/** Periods after which tracking ends (ms). They are settings: the cadence scale does not shorten them. */
export const cadencePeriods = {
  awaitingGivesUpMs: 30 * dayMs,
  noUpdatesGivesUpMs: 60 * dayMs,
  /** Ocean and rail, unless the empty container was returned before. */
  completesAfterLongMs: 14 * dayMs,
  completesAfterShortMs: dayMs,
};

export type CadencePeriods = typeof cadencePeriods;

/** Facts that decide about the end, in the terms of `CadenceInput`. */
export type EndingInput = {
  mode: TransportMode;
  journey: CadenceJourney;
  outcome: RefreshOutcome;
  partial?: boolean;
  resumedAtMs?: number | null;
  lastChangedAtMs: number | null;
  periods?: CadencePeriods;
};

/**
 * When tracking is complete and in which state it ends. Null: the journey is open. A partial answer or an error doesn't
 * show that nothing is missing, so the period then counts from the last change at the earliest.
 */
export function endOfJourney(
  input: EndingInput,
  nowMs: number,
): { atMs: number; state: TrackingState; reason: TrackingReason | null } | null {
  const { journey, mode } = input;
  const periods = periodsOf(input);
  const isWhole = input.partial !== true && input.outcome !== 'error';
  const changedAtMs = input.outcome === 'changed' ? nowMs : input.lastChangedAtMs;
  const closedAtMs = Math.min(evidenceTimeMs(journey) ?? input.lastChangedAtMs ?? nowMs, nowMs);
  const closedMs = Math.max(
    closedAtMs,
    input.resumedAtMs ?? closedAtMs,
    isWhole ? closedAtMs : (changedAtMs ?? closedAtMs),
  );
  if (journey.status === 'cancelled') {
    const atMs = isWhole ? nowMs : closedMs + periods.completesAfterShortMs;
    return { atMs, state: 'stopped', reason: 'booking_cancelled' };
  }
  if (journey.status === 'delivered') {
    if (mode !== 'ocean' && mode !== 'rail')
      return { atMs: closedMs + periods.completesAfterShortMs, state: 'completed', reason: null };
    const atMs = isWhole && isEmptyReturned(journey) ? nowMs : closedMs + periods.completesAfterLongMs;
    return { atMs, state: 'completed', reason: null };
  }
  if (journey.status === 'returned' && journey.statusEvidence !== null && isReturnConfirmed(journey)) {
    return { atMs: closedMs + periods.completesAfterShortMs, state: 'completed', reason: null };
  }
  return null;
}

function isReturnConfirmed(journey: CadenceJourney): boolean {
  return journey.latestEvent?.code === 'returned' || journey.statusEvidence?.code === 'returned';
}

export function periodsOf({ periods = cadencePeriods }: Pick<EndingInput, 'periods'>): CadencePeriods {
  return periods;
}
