import { type ActionOnEach, type BulkAction, maxOpenActions, partSize } from '#shared/domain/bulk/bulk-action.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import {
  addChangedParts,
  addNamedParts,
  cancelBulkAction as cancelStored,
  countOpenBulkActions,
  findUndoing,
  insertBulkAction,
  readBulkAction,
} from '#shared/store/bulk/bulk-actions.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf, makerOf } from '../keys/key-permissions.ts';
import { findAnswers, keepAnswers } from '../registration/idempotency.ts';

/** `ids` are uuids. */
export type BulkInput = { action: ActionOnEach; source: { ids: readonly string[] } | { filter: ShipmentFilter } };

/**
 * Starts an action on many shipments, which workers run. Throws LandfallError `invalid_state` while too many are
 * running, `idempotency_in_progress` or `idempotency_mismatch`.
 */
export function startBulkAction(
  ctx: CoreContext,
  caller: Caller,
  { action, source }: BulkInput,
): Promise<{ replayed: boolean; started: BulkAction }> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const [earlier] = await findAnswers<{ id: string }>(tx, [caller]);
    if (earlier instanceof LandfallError) throw earlier;
    if (earlier) return { replayed: true, started: await read(tx, caller, earlier.id) };
    await refuseTooMany(tx, accountId);
    const filter = 'filter' in source ? source.filter : null;
    const added = await insertBulkAction(tx, accountId, { test, action, filter, undoes: null, maker: makerOf(caller) });
    if (added === null) throw new Error('a bulk action that undoes nothing was not stored');
    if ('ids' in source) await addNamedParts(tx, accountId, { id: added.id, size: partSize, shipmentIds: source.ids });
    await keepAnswers(tx, [{ caller }], [{ id: added.id }]);
    const detail = { action, filter, shipments: 'ids' in source ? source.ids.length : null };
    await audit(tx, caller, { action: 'bulk_action.started', id: added.id, detail });
    return { replayed: false, started: await read(tx, caller, added.id) };
  });
}

/** Throws LandfallError `bulk_action_not_found`. */
export function getBulkAction(ctx: CoreContext, caller: Caller, id: string): Promise<BulkAction> {
  return withAccount(ctx.store, caller.accountId, (tx) => read(tx, caller, id));
}

/** Ends an action early. What it has changed stays. Throws LandfallError `bulk_action_not_found`. */
export function cancelBulkAction(ctx: CoreContext, caller: Caller, id: string): Promise<BulkAction> {
  return withAccount(ctx.store, caller.accountId, async (tx) => {
    await read(tx, caller, id);
    if (await cancelStored(tx, caller.accountId, id))
      await audit(tx, caller, { action: 'bulk_action.cancelled', id, detail: {} });
    return read(tx, caller, id);
  });
}

const opposites = { archive: 'restore', restore: 'archive' } as const;

/**
 * Starts the action that undoes this one, or returns the one that does already. Throws LandfallError
 * `bulk_action_not_found`, or `invalid_state` while the action is running and for one that can't be undone.
 */
export function undoBulkAction(ctx: CoreContext, caller: Caller, id: string): Promise<BulkAction> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const undone = await read(tx, caller, id);
    const { kind } = undone.action;
    if (kind !== 'archive' && kind !== 'restore')
      throw new LandfallError('invalid_state', `The action ${kind} can’t be undone. Only archive and restore can.`);
    if (undone.completedAt === null)
      throw new LandfallError('invalid_state', 'The bulk action is running. Cancel it first, or wait until it ends.');
    const before = await findUndoing(tx, accountId, id);
    if (before !== null) return before;
    await refuseTooMany(tx, accountId);
    const action = { kind: opposites[kind] };
    const maker = makerOf(caller);
    const added = await insertBulkAction(tx, accountId, { test, action, filter: null, undoes: id, maker });
    // Another request was faster.
    if (added === null) return (await findUndoing(tx, accountId, id)) ?? undone;
    await addChangedParts(tx, accountId, { id: added.id, of: id });
    await audit(tx, caller, { action: 'bulk_action.started', id: added.id, detail: { action, undoes: true } });
    return read(tx, caller, added.id);
  });
}

async function refuseTooMany(tx: Tx, accountId: string): Promise<void> {
  if ((await countOpenBulkActions(tx, accountId)) < maxOpenActions) return;
  const detail = `${maxOpenActions} bulk actions are running. Wait until one has ended, or cancel one.`;
  throw new LandfallError('invalid_state', detail);
}

async function read(tx: Tx, { accountId, test }: Caller, id: string): Promise<BulkAction> {
  const found = await readBulkAction(tx, accountId, { id, test });
  if (found === null) throw new LandfallError('bulk_action_not_found', 'Bulk action not found.');
  return found;
}

function audit(
  tx: Tx,
  caller: Caller,
  { action, id, detail }: { action: string; id: string; detail: Record<string, unknown> },
): Promise<void> {
  return appendAudit(tx, caller.accountId, {
    actor: actorOf(caller),
    action,
    subjectType: 'bulk_action',
    subjectId: id,
    requestId: caller.requestId,
    detail,
  });
}
