import { isUnavailable } from '#shared/domain/errors.ts';
import type { Store } from '#shared/store/open-store.ts';
import {
  findToSettle,
  postponeSettling,
  readSettlingState,
  type Settled,
  type SettlingState,
  settleShipment,
} from '#shared/store/settling/settle-shipment.ts';
import { isTransactionConflict } from '#shared/store/store-errors.ts';
import { withSystem, withSystemByKey } from '#shared/store/with-account.ts';
import type { CoreContext, CoreSettings } from '../core-context.ts';

/** Shipments of one run, each in a transaction of its own. */
export const settlingBatchSize = 200;

export type SettlingOptions = {
  signal?: AbortSignal;
  limit?: number;
  /** Called for each settled shipment. */
  onSettled?: () => void;
};

/**
 * Settles shipments that have been closed for long, up to `limit`. Returns how many were due. Any number of processes
 * may call it at once, and one that dies loses at most the transaction of one shipment. A shipment that can't be packed
 * stays as it is and delays no other.
 */
export async function settleShipments(ctx: CoreContext, options: SettlingOptions = {}): Promise<number> {
  const { limit = settlingBatchSize, signal } = options;
  const days = ctx.settings.settleAfterDays;
  if (days === null) return 0;
  const due = await withSystemByKey(ctx.store, (tx) => findToSettle(tx, { days, limit }));
  for (const key of due) {
    if (signal?.aborted === true) break;
    let settled: Settled;
    try {
      settled = await withSystemByKey(ctx.store, (tx) => settleShipment(tx, key, days));
    } catch (error) {
      if (isUnavailable(error) || isTransactionConflict(error)) throw error;
      ctx.log.error({ err: error, ...key }, 'settling a shipment failed; keeping its rows');
      await withSystemByKey(ctx.store, (tx) => postponeSettling(tx, key));
      continue;
    }
    if (settled.outcome === 'settled') options.onSettled?.();
  }
  return due.length;
}

/** Measures the progress of settling. Throws LandfallError `unavailable`. */
export function measureSettling(ctx: {
  store: Store;
  settings: Pick<CoreSettings, 'settleAfterDays'>;
}): Promise<SettlingState> {
  return withSystem(ctx.store, (tx) => readSettlingState(tx, ctx.settings.settleAfterDays));
}
