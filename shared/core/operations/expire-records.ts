import { deleteOldDeliveries } from '#shared/store/system/claim-deliveries.ts';
import {
  deleteEndedSubscriptions,
  deleteOldChanges,
  deleteOldIdempotency,
  deleteOldImportRows,
  deleteOldImports,
  deleteOldRejectedEvents,
  freeNumbersOfClosed,
} from '#shared/store/system/expire-records.ts';
import { type Tx, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext, CoreSettings } from '../core-context.ts';

/** One kind of record that is kept for a time. `run` ends one batch of at most `limit`, in one transaction, and gives how many it ended. */
export type Expiry = { name: string; run: (tx: Tx, settings: CoreSettings, limit: number) => Promise<number> };

/** Everything that expires. A new kind of record that does not stay for good gets a line here. */
export const expiries: readonly Expiry[] = [
  {
    name: 'idempotency keys',
    run: (tx, { idempotencyKeptHours: keptHours }, limit) => deleteOldIdempotency(tx, { keptHours, limit }),
  },
  { name: 'changes', run: (tx, { changesKeptDays: keptDays }, limit) => deleteOldChanges(tx, { keptDays, limit }) },
  {
    name: 'rows of imports',
    run: (tx, { importsKeptDays: keptDays }, limit) => deleteOldImportRows(tx, { keptDays, limit }),
  },
  { name: 'imports', run: (tx, { importsKeptDays: keptDays }, limit) => deleteOldImports(tx, { keptDays, limit }) },
  {
    name: 'deliveries of carriers',
    run: (tx, { deliveriesKeptDays: keptDays }, limit) => deleteOldDeliveries(tx, { keptDays, limit }),
  },
  {
    name: 'ended subscriptions',
    run: (tx, { deliveriesKeptDays: keptDays }, limit) => deleteEndedSubscriptions(tx, { keptDays, limit }),
  },
  {
    name: 'unreadable events',
    run: (tx, { rejectedKeptDays: keptDays }, limit) => deleteOldRejectedEvents(tx, { keptDays, limit }),
  },
  {
    name: 'numbers of closed shipments',
    run: (tx, { openAfterClosingDays: openDays }, limit) => freeNumbersOfClosed(tx, { openDays, limit }),
  },
];

export type ExpiryOptions = {
  signal?: AbortSignal;
  /** Rows in one transaction. */
  batchSize?: number;
  expiries?: readonly Expiry[];
};

/**
 * Ends everything whose time is over by Postgres's clock, in small transactions; any number of processes may do it at once. One kind that
 * fails does not keep the others: all are tried, then the first error is thrown. Gives how many of each kind were ended.
 */
export async function expireRecords(ctx: CoreContext, options: ExpiryOptions = {}): Promise<Record<string, number>> {
  const { batchSize = 1000 } = options;
  const ended: Record<string, number> = {};
  const errors: unknown[] = [];
  for (const { name, run } of options.expiries ?? expiries) {
    try {
      let count = batchSize;
      while (count > 0 && options.signal?.aborted !== true) {
        count = await withSystem(ctx.store, (tx) => run(tx, ctx.settings, batchSize));
        ended[name] = (ended[name] ?? 0) + count;
      }
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return ended;
}
