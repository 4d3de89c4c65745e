import { maxViews, type SavedView, type ViewSettings } from '#shared/domain/alerts/saved-view.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import {
  countOwnViews,
  deleteAlertsOfOthers,
  deleteView,
  listViews,
  putView,
  readView,
  updateView,
} from '#shared/store/alerts/saved-views.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { isUniqueViolation } from '#shared/store/store-errors.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';

/** The views of the caller's mode that the member sees: their own and shared ones, by name. */
export function listSavedViews(ctx: CoreContext, caller: Caller): Promise<SavedView[]> {
  const reader = { userId: personOf(caller), test: caller.test };
  return withAccount(ctx.store, caller.accountId, (tx) => listViews(tx, caller.accountId, reader));
}

/**
 * Saves a view of the member. It replaces their view of the same name, whose alerts go on. Throws LandfallError
 * `role_not_allowed` when a viewer shares one, or `invalid_state` when the member has as many as they may have or alerts
 * could not follow it any more.
 */
export function saveView(ctx: CoreContext, caller: Caller, settings: ViewSettings): Promise<SavedView> {
  const { accountId, test } = caller;
  const userId = personOf(caller);
  if (settings.shared) refuseSharing(caller);
  return withAccount(ctx.store, accountId, async (tx) => {
    refuseOneTooMany(await countOwnViews(tx, accountId, { userId, test }));
    const id = await putView(tx, accountId, { ...settings, userId, test });
    if (!settings.shared) await deleteAlertsOfOthers(tx, accountId, { id, userId });
    else await audit(tx, caller, { action: 'shared', id, name: settings.name });
    return refuseUnfollowed(await findView(tx, caller, id));
  });
}

/**
 * Changes a view: one's own, or as an owner of the account a shared one. Throws LandfallError `view_not_found`,
 * `role_not_allowed`, or `invalid_state` when the member has another view of that name or alerts could not follow it any
 * more.
 */
export function changeView(
  ctx: CoreContext,
  caller: Caller,
  { id, update }: { id: string; update: Partial<ViewSettings> },
): Promise<SavedView> {
  const { accountId } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const before = await findView(tx, caller, id, true);
    refuseOthersView(caller, before);
    const settings = { ...before, ...update };
    if (settings.shared && !before.shared) refuseSharing(caller);
    await updateView(tx, accountId, settings).catch((error: unknown) => {
      if (!isUniqueViolation(error, ['saved_views_once'])) throw error;
      throw new LandfallError('invalid_state', 'You have another view with this name. Choose another name.');
    });
    if (before.shared && !settings.shared) await deleteAlertsOfOthers(tx, accountId, { id, userId: before.ownerId });
    if (before.shared || settings.shared)
      await audit(tx, caller, { action: settings.shared ? 'shared' : 'unshared', id, name: settings.name });
    return refuseUnfollowed(await findView(tx, caller, id));
  });
}

/** Deletes a view and the alerts that follow it. Throws LandfallError `view_not_found` or `role_not_allowed`. */
export function deleteSavedView(ctx: CoreContext, caller: Caller, id: string): Promise<void> {
  const { accountId } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const view = await findView(tx, caller, id, true);
    refuseOthersView(caller, view);
    await deleteView(tx, accountId, id);
    if (view.shared) await audit(tx, caller, { action: 'deleted', id, name: view.name });
  });
}

/** A view that the caller sees. Throws LandfallError `view_not_found`. */
export async function findView(tx: Tx, caller: Caller, id: string, lock = false): Promise<SavedView> {
  const { accountId, test } = caller;
  const view = await readView(tx, accountId, { id, userId: personOf(caller), test, lock });
  if (view === null) throw new LandfallError('view_not_found', 'Saved view not found.');
  return view;
}

/** The member who calls. Throws LandfallError `role_not_allowed` for a key: views and alerts belong to a person. */
export function personOf({ userId }: Pick<Caller, 'userId'>): string {
  if (userId !== undefined) return userId;
  throw new LandfallError('role_not_allowed', 'Views and alerts belong to a person. Sign in to the dashboard.');
}

function refuseOthersView(caller: Caller, { ownerId }: SavedView): void {
  if (ownerId === personOf(caller) || caller.scopes.includes('keys:manage')) return;
  throw new LandfallError(
    'role_not_allowed',
    'Another member shared this view. Only that member and owners of the account can change it.',
  );
}

/** Alerts of a view that no alert can follow would fall silent without a word. */
function refuseUnfollowed(view: SavedView): SavedView {
  if (view.filter !== null || view.alerts === 0) return view;
  throw new LandfallError(
    'invalid_state',
    'Alerts follow this view, and none can follow a list that depends on the day. Save it under another name.',
  );
}

function refuseSharing(caller: Caller): void {
  if (caller.scopes.includes('shipments:write')) return;
  throw new LandfallError('role_not_allowed', 'Viewers cannot share views. Save it for yourself.');
}

function refuseOneTooMany(count: number): void {
  if (count < maxViews) return;
  throw new LandfallError(
    'invalid_state',
    `You have ${count} saved views, and ${maxViews} is the maximum. Delete one that is not needed.`,
  );
}

/** Private views are nobody else's business. */
async function audit(
  tx: Tx,
  caller: Caller,
  { action, id, name }: { action: string; id: string; name: string },
): Promise<void> {
  await appendAudit(tx, caller.accountId, {
    actor: actorOf(caller),
    action: `saved_view.${action}`,
    subjectType: 'saved_view',
    subjectId: id,
    requestId: caller.requestId,
    detail: { name },
  });
}
