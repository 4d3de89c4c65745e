import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';

type Known = Pick<WireShipment, 'tracking' | 'archived_at' | 'carrier_name'>;

/** Returns the reason why a refresh cannot be requested, or null when it can. */
export function refreshLock({ tracking, archived_at: archivedAt }: Known, isViewer: boolean): string | null {
  if (isViewer) return 'You have view-only access to this account';
  if (archivedAt !== null) return 'Archived. Restore it first.';
  if (tracking === null) return 'Not available for past states';
  if (tracking.mode === 'pushed') return 'Events are pushed, so there is nothing to poll';
  if (['stopped', 'failed', 'completed'].includes(tracking.state))
    return `Tracking is ${tracking.state}. Resume it instead.`;
  return null;
}

/** True when tracking has ended and can be resumed. */
export function canResume({ tracking, archived_at: archivedAt }: Known): boolean {
  return archivedAt === null && tracking !== null && ['stopped', 'failed', 'completed'].includes(tracking.state);
}

/** Delivered, returned and cancelled shipments cannot be cancelled. */
export function canCancel({
  status,
  containers,
  archived_at: archivedAt,
}: Pick<WireShipment, 'status' | 'containers' | 'archived_at'>): boolean {
  const closed = ['delivered', 'returned', 'cancelled'];
  return (
    archivedAt === null &&
    !closed.includes(status) &&
    !containers.some((container) => ['delivered', 'returned'].includes(container.status))
  );
}
