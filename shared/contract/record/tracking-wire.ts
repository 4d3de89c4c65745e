import { z } from 'zod';
import type { ShipmentSnapshot } from '#shared/domain/feed/change.ts';
import {
  freshnesses,
  type Tracking,
  trackingModes,
  trackingReasons,
  trackingStates,
} from '#shared/domain/record/shipment.ts';
import { instantOrNull, knownValues, openEnum, textOrNull, traceKept } from '../schema-parts.ts';

const trackingFields = {
  mode: openEnum(trackingModes, 'Whether Landfall polls the carrier, or your sources push the events.'),
  state: openEnum(trackingStates, 'State of tracking.'),
  reason: z
    .string()
    .nullable()
    .meta({
      description: `Reason for the state. Null if there is nothing to report. ${knownValues(trackingReasons)}`,
      examples: trackingReasons.slice(0, 1),
    }),
  freshness: openEnum(freshnesses, 'How current the data is at the time of reading.'),
  last_succeeded_at: instantOrNull('Last successful refresh. Null before the first one.'),
  next_refresh_at: instantOrNull('When the next refresh is due. Null if none is scheduled.'),
};

export const wireTracking = z
  .strictObject({
    ...trackingFields,
    stale_after_hours: z
      .int()
      .nullable()
      .meta({
        description: 'Hours without pushed events after which it is stale. Null if it is polled.',
        examples: [48],
      }),
    source: textOrNull('Source of the data. `simulator:…` for simulated carriers.', 'dcsa:maersk'),
    last_refreshed_at: instantOrNull('Last refresh, successful or not. Null before the first one.'),
    last_changed_at: instantOrNull('Last refresh that changed the record. Null before the first one.'),
    consecutive_failures: z
      .int()
      .min(0)
      .meta({ description: 'Failed refreshes since the last successful one.', examples: [0] }),
    trace_id: textOrNull('Trace of the last refresh.', '4bf92f3577b34da6a3ce929d0e0e4736'),
    trace_kept: traceKept,
  })
  .meta({ id: 'Tracking', description: 'Whether the shipment is being tracked, and how well.' });

/** The tracking of a summary. */
export const wireTrackingSummary = z
  .strictObject(trackingFields)
  .meta({ id: 'TrackingSummary', description: 'State of tracking.' });

export function toWireTracking(tracking: Tracking): z.infer<typeof wireTracking> {
  return {
    mode: tracking.mode,
    stale_after_hours: tracking.staleAfterHours,
    state: tracking.state,
    reason: tracking.reason,
    freshness: tracking.freshness,
    source: tracking.source,
    last_refreshed_at: tracking.lastRefreshedAt,
    last_succeeded_at: tracking.lastSucceededAt,
    last_changed_at: tracking.lastChangedAt,
    next_refresh_at: tracking.nextRefreshAt,
    consecutive_failures: tracking.consecutiveFailures,
    trace_id: tracking.traceId,
    trace_kept: tracking.traceKept,
  };
}

export function toWireTrackingSummary(tracking: ShipmentSnapshot['tracking']): z.infer<typeof wireTrackingSummary> {
  return {
    mode: tracking.mode,
    state: tracking.state,
    reason: tracking.reason,
    freshness: tracking.freshness,
    last_succeeded_at: tracking.lastSucceededAt,
    next_refresh_at: tracking.nextRefreshAt,
  };
}
