import type { TrackingReason, TrackingState, Warning } from '../record/shipment.ts';
import { isTrackingEnded } from './cadence.ts';

type TrackingNow = { state: TrackingState; reason: TrackingReason | null };

/**
 * True when registering a shipment again resumes its tracking: only if the client stopped it. Tracking that failed or
 * completed, or whose booking is cancelled, would end again, so a list that is sent every day must not restart it.
 */
export function isResumedByRegistration({ state, reason }: TrackingNow): boolean {
  return state === 'stopped' && reason === 'stopped_by_client';
}

export const trackingResumed: Warning = {
  code: 'tracking_resumed',
  field: 'tracking.state',
  detail: 'Tracking was stopped. This registration resumed it.',
  expected: null,
};

/** Returns the reason why registering a shipment again did not resume its tracking. Null: tracking has not ended. */
export function trackingNotResumed({ state, reason }: TrackingNow): Warning | null {
  if (!isTrackingEnded(state)) return null;
  const detail = `${whyEnded(state, reason)} To track it again, use POST /v1/shipments/{shipment_id}/resume.`;
  return { code: 'tracking_not_resumed', field: 'tracking.state', detail, expected: null };
}

function whyEnded(state: TrackingState, reason: TrackingReason | null): string {
  if (state === 'completed') return 'Tracking is complete because the journey has ended.';
  if (reason === 'booking_cancelled') return 'Tracking was stopped because the booking is cancelled.';
  return `Tracking ${state === 'failed' ? 'failed' : 'was stopped'}${reason === null ? '' : ` (${reason})`}.`;
}
