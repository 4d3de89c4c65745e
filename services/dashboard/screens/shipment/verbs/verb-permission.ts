import type { WireShipment } from '#shared/contract/wire-schemas.ts';

type Known = Pick<WireShipment, 'tracking' | 'archived_at' | 'carrier_name'>;

/** Why nobody can have the carrier asked now; null when they can. */
export function whyNotRefreshed({ tracking, archived_at: archivedAt }: Known, isViewer: boolean): string | null {
  if (isViewer) return 'Viewers of this account cannot have carriers asked';
  if (archivedAt !== null) return 'It is archived: restore it first';
  if (tracking === null) return 'The past cannot be asked';
  if (['stopped', 'failed', 'completed'].includes(tracking.state))
    return `Tracking is ${tracking.state}: resume it instead`;
  return null;
}

/** Tracking that has ended can be started again. */
export function canResume({ tracking, archived_at: archivedAt }: Known): boolean {
  return archivedAt === null && tracking !== null && ['stopped', 'failed', 'completed'].includes(tracking.state);
}

/** What has been delivered, returned or cancelled cannot be cancelled. */
export function canCancel({
  status,
  containers,
  archived_at: archivedAt,
}: Pick<WireShipment, 'status' | 'containers' | 'archived_at'>): boolean {
  const over = ['delivered', 'returned', 'cancelled'];
  return (
    archivedAt === null &&
    !over.includes(status) &&
    !containers.some((container) => ['delivered', 'returned'].includes(container.status))
  );
}
