import type { TransportMode } from '../events/transport-mode.ts';
import type { TrackingReason, TrackingState } from '../record/shipment.ts';
import type { CadenceJourney } from '../refresh/cadence-phase.ts';
import { cadencePeriods, endOfJourney } from '../refresh/end-of-journey.ts';

/** The connector of shipments that nobody polls: their events are pushed. */
export const pushedConnector = 'pushed';

/** Hours without events after which a pushed shipment is stale. */
export const staleAfterHoursRange = { min: 1, max: 720, usual: 48 };

/** Pushed tracking before its first event. */
export const awaitingEvents = { state: 'awaiting_carrier', reason: 'awaiting_events' } as const;

export type PushedTrackingInput = {
  mode: TransportMode;
  state: TrackingState;
  reason: TrackingReason | null;
  /** A cancellation ended tracking, and the source that stated it has taken it back. Default: false. */
  isCancellationReverted?: boolean;
  journey: CadenceJourney;
  /** True when events were just added. */
  changed: boolean;
  trackingSinceMs: number;
  /** Null: tracking was never resumed. */
  resumedAtMs: number | null;
  lastChangedAtMs: number | null;
  staleAfterHours: number;
};

/** `staleAtMs`, `endsAtMs`: when silence makes the shipment stale, and ends its tracking. Null: never. */
export type PushedTracking = {
  state: TrackingState;
  reason: TrackingReason | null;
  staleAtMs: number | null;
  endsAtMs: number | null;
};

/**
 * Tracking of a shipment that nobody polls, after events came in or time has passed. It ends as polled tracking does:
 * some time after the journey is over, or after 60 days without anything new. Events that come later still count, and
 * reopen what had ended by itself, but never what a client stopped. Pure.
 */
export function pushedTracking(input: PushedTrackingInput, nowMs: number): PushedTracking {
  const { state, reason, changed, trackingSinceMs, lastChangedAtMs } = input;
  if (state === 'stopped' && input.isCancellationReverted !== true)
    return { state, reason, staleAtMs: null, endsAtMs: null };
  const end = endOfJourney({ ...input, outcome: changed ? 'changed' : 'unchanged' }, nowMs);
  if (end !== null && end.atMs <= nowMs)
    return { state: end.state, reason: end.reason, staleAtMs: null, endsAtMs: null };
  const staleAtMs = nowMs + input.staleAfterHours * 3_600_000;
  const newsMs = Math.max(trackingSinceMs, changed ? nowMs : (lastChangedAtMs ?? 0));
  const givesUpAtMs = newsMs + cadencePeriods.noUpdatesGivesUpMs;
  if (givesUpAtMs <= nowMs) return { state: 'failed', reason: 'no_updates_60d', staleAtMs, endsAtMs: null };
  const isAwaited = !changed && (lastChangedAtMs === null || reason === awaitingEvents.reason);
  return {
    ...(isAwaited ? awaitingEvents : { state: 'active', reason: null }),
    staleAtMs,
    endsAtMs: Math.min(givesUpAtMs, end?.atMs ?? givesUpAtMs),
  };
}
