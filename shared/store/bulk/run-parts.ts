import type { BulkAction, BulkFailure } from '#shared/domain/bulk/bulk-action.ts';
import type { ListPosition } from '../lists/page-query.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import { bulkColumns, toBulkAction } from './bulk-actions.ts';

type OpenAction = { accountId: string; id: string };

/** An action whose row is locked, and where finding its shipments continues. */
export type LockedBulk = BulkAction & { position: ListPosition | null; attempts: number };

/**
 * Locks an action that has not ended, for this transaction. Null: it has ended, or another worker has it, which is not
 * waited for.
 */
export async function lockBulkAction(tx: Tx, { accountId, id }: OpenAction): Promise<LockedBulk | null> {
  const rows = await readRows<Parameters<typeof toBulkAction>[0] & { position: ListPosition | null; attempts: number }>(
    tx,
    {
      name: 'lock-bulk-action',
      text: `
      select ${bulkColumns}, position, attempts from landfall.bulk_actions
      where account_id = $1 and id = $2 and completed_at is null
      for update skip locked`,
      values: [accountId, id],
    },
  );
  return rows[0] === undefined ? null : (toBulkAction(rows[0]) as LockedBulk);
}

/** Notes how far finding is. Null: everything is found, and the parts run. */
export async function moveFinding(
  tx: Tx,
  { accountId, id }: OpenAction,
  { position, isLimited }: { position: ListPosition | null; isLimited: boolean },
): Promise<void> {
  await tx.query({
    name: 'move-bulk-finding',
    text: `
      update landfall.bulk_actions
      set position = $3::jsonb, limited = $4, attempts = 0, retry_at = null,
        state = case when $3::jsonb is not null then 'finding' when total = 0 then 'completed' else 'running' end,
        completed_at = case when $3::jsonb is null and total = 0 then now() end
      where account_id = $1 and id = $2`,
    values: [accountId, id, position === null ? null : JSON.stringify(position), isLimited],
  });
}

/** The first part that has not run, or null. */
export async function readNextPart(
  tx: Tx,
  { accountId, id }: OpenAction,
): Promise<{ number: number; shipmentIds: string[] } | null> {
  const rows = await readRows<{ number: number; shipmentIds: string[] }>(tx, {
    name: 'read-next-bulk-part',
    text: `
      select number, shipment_ids from landfall.bulk_action_parts
      where account_id = $1 and bulk_action_id = $2 and changed_ids is null
      order by number
      limit 1`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/** The outcome of a part. `failures`: those that there is room for; `failed` counts all. */
export type PartOutcome = {
  number: number;
  processed: number;
  changedIds: readonly string[];
  failed: number;
  failures: readonly BulkFailure[];
};

/** Marks a part as run, and completes the action with its last one. */
export async function finishPart(tx: Tx, { accountId, id }: OpenAction, part: PartOutcome): Promise<void> {
  await tx.query({
    name: 'finish-bulk-part',
    text: `
      with done as (
        update landfall.bulk_action_parts set changed_ids = $4::uuid[]
        where account_id = $1 and bulk_action_id = $2 and number = $3
      )
      update landfall.bulk_actions
      set processed = processed + $5, changed = changed + cardinality($4::uuid[]), failed = failed + $6,
        failures = failures || $7::jsonb, attempts = 0, retry_at = null,
        state = case when processed + $5 = total then 'completed' else state end,
        completed_at = case when processed + $5 = total then now() end
      where account_id = $1 and id = $2`,
    values: [accountId, id, part.number, part.changedIds, part.processed, part.failed, JSON.stringify(part.failures)],
  });
}

/** Lets an action wait after a failure: a second, then twice as long each time, up to five minutes. */
export async function postponeBulkAction(tx: Tx, { accountId, id }: OpenAction): Promise<void> {
  await tx.query({
    name: 'postpone-bulk-action',
    text: `
      update landfall.bulk_actions
      set attempts = least(attempts + 1, 100), retry_at = now() + make_interval(secs => least(300, 2 ^ least(attempts, 9)))
      where account_id = $1 and id = $2 and completed_at is null`,
    values: [accountId, id],
  });
}
