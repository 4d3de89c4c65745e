import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { type AccountSettings, readAccountSettings, updateRetention } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from './key-permissions.ts';

/** `effectiveRetentionDays`: the fewer days of the account's own and the installation's. Null: never. */
export type Account = AccountSettings & { accountId: string; effectiveRetentionDays: number | null };

/** Throws LandfallError `account_not_found`. */
export async function getAccount(ctx: CoreContext, { accountId }: Caller): Promise<Account> {
  return describe(ctx, accountId, await withSystem(ctx.store, (tx) => readAccountSettings(tx, accountId)));
}

/** Sets after how many days the account's closed shipments are removed. Null: the installation decides. */
export function setRetention(ctx: CoreContext, caller: Caller, retentionDays: number | null): Promise<Account> {
  const { accountId } = caller;
  return withSystem(ctx.store, async (tx) => {
    const before = await readAccountSettings(tx, accountId);
    if (before !== null && before.retentionDays !== retentionDays) {
      await updateRetention(tx, accountId, retentionDays);
      await appendAudit(tx, accountId, {
        actor: actorOf(caller),
        action: 'account.retention_changed',
        subjectType: 'account',
        subjectId: accountId,
        requestId: caller.requestId,
        detail: { from: before.retentionDays, to: retentionDays },
      });
    }
    return describe(ctx, accountId, before && { ...before, retentionDays });
  });
}

function describe(ctx: CoreContext, accountId: string, settings: AccountSettings | null): Account {
  if (settings === null) throw new LandfallError('account_not_found', 'Account not found.');
  const periods = [settings.retentionDays, ctx.settings.retentionDays].filter((days) => days !== null);
  return { accountId, ...settings, effectiveRetentionDays: periods.length === 0 ? null : Math.min(...periods) };
}
