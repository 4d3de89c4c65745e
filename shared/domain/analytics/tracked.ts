import type { Status, TrackingReason, TrackingState } from '../record/shipment.ts';

/** Shipments that are still under way. */
export const openStatuses: readonly Status[] = [
  'pending',
  'booked',
  'in_transit',
  'arrived',
  'available_for_pickup',
  'out_for_delivery',
];

/** Tracking that goes on, or should. */
export const trackedStates: readonly TrackingState[] = ['queued', 'active', 'awaiting_carrier', 'degraded', 'failed'];

/** The carrier does not know the number, or not yet. */
export const notFoundReasons: readonly TrackingReason[] = ['carrier_not_found_yet', 'not_found'];
