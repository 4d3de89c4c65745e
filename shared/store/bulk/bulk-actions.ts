import type { ActionOnEach, BulkAction, BulkFailure, BulkState, StopReason } from '#shared/domain/bulk/bulk-action.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import type { KeyMaker } from '../keys/api-keys.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

type BulkRow = {
  id: string;
  test: boolean;
  action: ActionOnEach;
  filter: ShipmentFilter | null;
  undoes: string | null;
  state: BulkState;
  stopReason: StopReason | null;
  total: number;
  processed: number;
  changed: number;
  failed: number;
  limited: boolean;
  failures: BulkFailure[];
  createdAt: string;
  completedAt: string | null;
};

export const bulkColumns =
  'id, test, action, filter, undoes, state, stop_reason, total, processed, changed, failed, limited, failures, created_at, completed_at';

export function toBulkAction({ limited, createdAt, completedAt, ...row }: BulkRow): BulkAction {
  return {
    ...row,
    isLimited: limited,
    createdAt,
    completedAt,
  };
}

/** Null when the account has no bulk action with this id in this mode (test or live). */
export async function readBulkAction(
  tx: Tx,
  accountId: string,
  { id, test }: { id: string; test: boolean },
): Promise<BulkAction | null> {
  const rows = await readRows<BulkRow>(tx, {
    name: 'read-bulk-action',
    text: `select ${bulkColumns} from landfall.bulk_actions where account_id = $1 and id = $2 and test = $3`,
    values: [accountId, id, test],
  });
  return rows[0] === undefined ? null : toBulkAction(rows[0]);
}

/** Counts the account's bulk actions that have not ended. Concurrent starts may each see the same number. */
export async function countOpenBulkActions(tx: Tx, accountId: string): Promise<number> {
  const rows = await readRows<{ count: number }>(tx, {
    name: 'count-open-bulk-actions',
    text: `
      select count(*)::integer as count from landfall.bulk_actions where account_id = $1 and completed_at is null`,
    values: [accountId],
  });
  return rows[0]?.count ?? 0;
}

export type NewBulkAction = {
  test: boolean;
  action: ActionOnEach;
  /** Null: its parts are added with `addNamedParts` or `addChangedParts`. */
  filter: ShipmentFilter | null;
  undoes: string | null;
  maker: KeyMaker;
};

/** Null: the action that it undoes is undone already. */
export async function insertBulkAction(tx: Tx, accountId: string, added: NewBulkAction): Promise<BulkAction | null> {
  const rows = await readRows<BulkRow>(tx, {
    name: 'insert-bulk-action',
    text: `
      insert into landfall.bulk_actions (account_id, test, action, filter, undoes, started_by, started_with, state)
      values ($1, $2, $3::jsonb, $4::jsonb, $5, $6, $7, case when $4::jsonb is null then 'running' else 'finding' end)
      on conflict (account_id, undoes) do nothing
      returning ${bulkColumns}`,
    values: [
      accountId,
      added.test,
      JSON.stringify(added.action),
      added.filter === null ? null : JSON.stringify(added.filter),
      added.undoes,
      added.maker.createdBy,
      added.maker.madeWith,
    ],
  });
  return rows[0] === undefined ? null : toBulkAction(rows[0]);
}

/** The action that undoes this one, or null. */
export async function findUndoing(tx: Tx, accountId: string, undone: string): Promise<BulkAction | null> {
  const rows = await readRows<BulkRow>(tx, {
    name: 'find-undoing-bulk-action',
    text: `select ${bulkColumns} from landfall.bulk_actions where account_id = $1 and undoes = $2`,
    values: [accountId, undone],
  });
  return rows[0] === undefined ? null : toBulkAction(rows[0]);
}

type Parts = { id: string; size: number };

/** Appends shipments (uuids) to an action, in parts of `size`, and counts them. */
export async function addNamedParts(
  tx: Tx,
  accountId: string,
  { id, size, shipmentIds }: Parts & { shipmentIds: readonly string[] },
): Promise<void> {
  if (shipmentIds.length === 0) return;
  await tx.query({
    name: 'add-bulk-parts',
    text: `
      with grown as (
        update landfall.bulk_actions set total = total + cardinality($3::uuid[])
        where account_id = $1 and id = $2
      ),
      numbered as (
        select (place - 1) / $4::integer as part, shipment_id, place
        from unnest($3::uuid[]) with ordinality as s (shipment_id, place)
      )
      insert into landfall.bulk_action_parts (account_id, bulk_action_id, number, shipment_ids)
      select $1, $2,
        (select coalesce(max(number), 0) from landfall.bulk_action_parts where account_id = $1 and bulk_action_id = $2)
          + 1 + part,
        array_agg(shipment_id order by place)
      from numbered
      group by part`,
    values: [accountId, id, shipmentIds, size],
  });
}

/** Gives an action the shipments that another one has changed, part by part. */
export async function addChangedParts(
  tx: Tx,
  accountId: string,
  { id, of }: { id: string; of: string },
): Promise<void> {
  await tx.query({
    name: 'add-changed-bulk-parts',
    text: `
      with added as (
        insert into landfall.bulk_action_parts (account_id, bulk_action_id, number, shipment_ids)
        select $1, $2, number, changed_ids from landfall.bulk_action_parts
        where account_id = $1 and bulk_action_id = $3 and cardinality(changed_ids) > 0
        returning shipment_ids
      ),
      counted as (select coalesce(sum(cardinality(shipment_ids)), 0)::integer as total from added)
      update landfall.bulk_actions as b
      set total = c.total,
        state = case when c.total = 0 then 'completed' else state end,
        completed_at = case when c.total = 0 then now() end
      from counted as c
      where b.account_id = $1 and b.id = $2`,
    values: [accountId, id, of],
  });
}

/** Ends an action that has not ended. Waits for the part that is running. */
export async function cancelBulkAction(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'cancel-bulk-action',
    text: `
      update landfall.bulk_actions set state = 'cancelled', completed_at = now()
      where account_id = $1 and id = $2 and completed_at is null`,
    values: [accountId, id],
  });
  return (rowCount ?? 0) > 0;
}

/** Ends a locked action whose starter may no longer run it. */
export async function stopBulkAction(
  tx: Tx,
  { accountId, id }: { accountId: string; id: string },
  reason: StopReason,
): Promise<void> {
  await tx.query({
    name: 'stop-bulk-action',
    text: `
      update landfall.bulk_actions set state = 'stopped', stop_reason = $3, completed_at = now()
      where account_id = $1 and id = $2`,
    values: [accountId, id, reason],
  });
}
