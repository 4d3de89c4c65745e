import { appLifetimes } from '#shared/domain/apps/app.ts';
import { undeliveredKeptDays } from '#shared/domain/webhooks/delivery.ts';
import { deleteOldEntries, deleteOldMessages, deleteOldNotices } from '#shared/store/alerts/expire.ts';
import { deleteLeftViews } from '#shared/store/alerts/saved-views.ts';
import { deleteOldBulkActions } from '#shared/store/bulk/open-bulk-actions.ts';
import { deleteOldDeliveries } from '#shared/store/system/claim-deliveries.ts';
import {
  deleteEndedSubscriptions,
  deleteOldChanges,
  deleteOldIdempotency,
  deleteOldImportRows,
  deleteOldImports,
  deleteOldRejectedEvents,
  forgetAppRows,
  freeNumbersOfClosed,
} from '#shared/store/system/expire-records.ts';
import { deleteOldReplays, deleteOldUndelivered, deleteOldWebhookDeliveries } from '#shared/store/webhooks/expire.ts';
import { type Tx, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext, CoreSettings } from '../core-context.ts';

/**
 * One kind of record with a retention period. `run` expires one batch of at most `limit` and returns how many it
 * expired.
 */
export type Expiry = { name: string; run: (tx: Tx, settings: CoreSettings, limit: number) => Promise<number> };

/** Everything that expires. A new kind of record with a retention period gets a row here. */
export const expiries: readonly Expiry[] = [
  {
    name: 'idempotency keys',
    run: (tx, { idempotencyKeptHours: keptHours }, limit) => deleteOldIdempotency(tx, { keptHours, limit }),
  },
  { name: 'changes', run: (tx, { changesKeptDays: keptDays }, limit) => deleteOldChanges(tx, { keptDays, limit }) },
  {
    name: 'import rows',
    run: (tx, { importsKeptDays: keptDays }, limit) => deleteOldImportRows(tx, { keptDays, limit }),
  },
  { name: 'imports', run: (tx, { importsKeptDays: keptDays }, limit) => deleteOldImports(tx, { keptDays, limit }) },
  {
    name: 'bulk actions',
    run: (tx, { importsKeptDays: keptDays }, limit) => deleteOldBulkActions(tx, { keptDays, limit }),
  },
  {
    name: 'push deliveries',
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
    name: 'webhook deliveries',
    run: (tx, { webhooksKeptDays: keptDays }, limit) => deleteOldWebhookDeliveries(tx, { keptDays, limit }),
  },
  {
    name: 'undelivered webhooks',
    run: (tx, { webhooksKeptDays }, limit) =>
      deleteOldUndelivered(tx, { keptDays: Math.max(webhooksKeptDays, undeliveredKeptDays), limit }),
  },
  {
    name: 'webhook replays',
    run: (tx, _settings, limit) => deleteOldReplays(tx, { keptDays: undeliveredKeptDays, limit }),
  },
  {
    name: 'alert messages',
    run: (tx, { alertsKeptDays: keptDays }, limit) => deleteOldMessages(tx, { keptDays, limit }),
  },
  {
    name: 'alert entries',
    run: (tx, { alertsKeptDays: keptDays }, limit) => deleteOldEntries(tx, { keptDays, limit }),
  },
  {
    name: 'account notices',
    run: (tx, { alertsKeptDays: keptDays }, limit) => deleteOldNotices(tx, { keptDays, limit }),
  },
  { name: 'views of removed members', run: (tx, _settings, limit) => deleteLeftViews(tx, { limit }) },
  {
    name: 'codes, tokens and clients of apps',
    run: (tx, _settings, limit) =>
      forgetAppRows(tx, {
        unusedHours: appLifetimes.unusedClientH,
        idleDays: appLifetimes.idleClientDays,
        limit,
      }),
  },
  {
    name: 'numbers of closed shipments',
    run: (tx, { openAfterClosingDays: openDays }, limit) => freeNumbersOfClosed(tx, { openDays, limit }),
  },
];

export type ExpiryOptions = {
  signal?: AbortSignal;
  /** Rows per transaction. */
  batchSize?: number;
  expiries?: readonly Expiry[];
};

/**
 * Expires everything whose retention period is over by Postgres's clock, in small transactions. Any number of processes
 * may run it at once. A kind that fails doesn't stop the others: all are tried, then the first error is thrown. Returns
 * how many records of each kind expired.
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
