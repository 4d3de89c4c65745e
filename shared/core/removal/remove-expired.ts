import { isUnavailable } from '#shared/domain/errors.ts';
import { findRemovedAccounts } from '#shared/store/removal/remove-account.ts';
import { type Expired, findExpired } from '#shared/store/removal/remove-shipments.ts';
import { isStatementTimeout } from '#shared/store/store-errors.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { finishRemoval, type RemovalOptions } from './remove-account.ts';
import { publicIds, removeForGood } from './remove-shipments.ts';

const perAccount = 25;
const accountsPerRun = 20;

/**
 * Removes shipments whose retention period is over, up to 25 of each account, and what is left of removed accounts.
 * Returns how many shipments were due, at least 1 while an account is not gone. Any number of processes may call it at
 * once. An account whose removal fails delays no other.
 */
export async function removeExpired(ctx: CoreContext, options: RemovalOptions = {}): Promise<number> {
  const { signal, onRemoved } = options;
  const { retentionDays: days } = ctx.settings;
  const expired = await withSystem(ctx.store, (tx) => findExpired(tx, { days, perAccount, limit: accountsPerRun }));
  let due = 0;
  for (const one of expired) {
    if (signal?.aborted === true) break;
    await unlessFailed(ctx, one.accountId, async () => {
      const removed = await removeOne(ctx, one);
      onRemoved?.(removed, 'retention');
      due += removed;
    });
  }
  for (const accountId of await withSystem(ctx.store, findRemovedAccounts)) {
    if (signal?.aborted === true) break;
    await unlessFailed(ctx, accountId, async () => {
      if (!(await finishRemoval(ctx, accountId, options))) due++;
    });
  }
  return due;
}

async function unlessFailed(ctx: CoreContext, accountId: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    // A statement that takes too long is about this account.
    if (isUnavailable(error) && !isStatementTimeout(error.cause)) throw error;
    ctx.log.error({ err: error, accountId }, 'removing data failed; retrying with the next run');
  }
}

function removeOne(ctx: CoreContext, { accountId, shipmentIds, days }: Expired): Promise<number> {
  return removeForGood(ctx, {
    accountId,
    shipmentIds,
    closedDays: days,
    audit: (removed) => ({
      actor: 'system',
      subjectType: 'shipments',
      subjectId: removed.length === 1 ? (removed[0] ?? null) : null,
      requestId: null,
      detail: { rule: 'retention', retention_days: days, shipment_ids: publicIds(removed) },
    }),
  });
}
