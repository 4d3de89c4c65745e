import {
  type HealthRow,
  type Heartbeat,
  recordHeartbeat,
  removeWorker,
  type ServedRow,
  writeCarrierHealth,
} from '#shared/store/system/carrier-health.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export type { HealthRow, ServedRow };

/**
 * Stores how the carriers respond to this worker, records that the worker is alive and how late its event loop is
 * (p99) and when it last completed a refresh, and returns how many workers are alive.
 */
export function reportCarrierHealth(
  ctx: CoreContext,
  workerId: string,
  report: { health: HealthRow[]; served: ServedRow[] } & Heartbeat,
): Promise<number> {
  return withSystem(ctx.store, async (tx) => {
    if (report.health.length > 0) await writeCarrierHealth(tx, workerId, report);
    return recordHeartbeat(tx, workerId, report);
  });
}

/** Removes a worker that stops from the list of live ones. */
export function endWorker(ctx: CoreContext, workerId: string): Promise<void> {
  return withSystem(ctx.store, (tx) => removeWorker(tx, workerId));
}
