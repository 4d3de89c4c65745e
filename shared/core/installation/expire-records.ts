import { appLifetimes } from '#shared/domain/apps/app.ts';
import { undeliveredKeptDays } from '#shared/domain/webhooks/delivery.ts';
import { deleteLeftViews } from '#shared/store/alerts/saved-views.ts';
import {
  deleteOldChanges,
  deleteOldImportRows,
  forgetAppRows,
  freeNumbersOfClosed,
} from '#shared/store/removal/expire-records.ts';
import { deleteOldRows, retentionRules } from '#shared/store/removal/retention-rules.ts';
import { type Tx, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext, CoreSettings } from '../core-context.ts';

/**
 * One kind of record with a retention period. `run` expires one batch of at most `limit` and returns how many it
 * expired.
 */
export type Expiry = { name: string; run: (tx: Tx, settings: CoreSettings, limit: number) => Promise<number> };

/** Records that have statements of their own for their removal. Import rows go before their imports. */
const others: readonly Expiry[] = [
  { name: 'changes', run: (tx, { changesKeptDays: keptDays }, limit) => deleteOldChanges(tx, { keptDays, limit }) },
  {
    name: 'import rows',
    run: (tx, { importsKeptDays: keptDays }, limit) => deleteOldImportRows(tx, { keptDays, limit }),
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

/** Everything that expires: `retentionRules` has a row for each kind of record that only grows old. */
export const expiries: readonly Expiry[] = [
  ...others,
  ...retentionRules.map(
    (rule): Expiry => ({
      name: rule.name,
      run: (tx, settings, limit) => deleteOldRows(tx, rule, { periods: { ...settings, undeliveredKeptDays }, limit }),
    }),
  ),
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
