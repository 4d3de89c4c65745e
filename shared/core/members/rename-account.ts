import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { renameOrganization } from '#shared/store/auth/members.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';

/**
 * Renames the account as people see it, and returns the name. The name that commands and settings know the account by
 * stays: at every start, they would otherwise make another account of the former name.
 */
export function renameAccount(ctx: CoreContext, caller: Caller, name: string): Promise<string> {
  const { accountId, requestId } = caller;
  return withAuth(ctx.store, async (tx) => {
    const former = await renameOrganization(tx, accountId, name);
    if (former === null) throw new LandfallError('account_not_found', 'Account not found.');
    if (former === name) return name;
    await appendAudit(tx, accountId, {
      actor: actorOf(caller),
      action: 'account.renamed',
      subjectType: 'account',
      subjectId: accountId,
      requestId,
      detail: { from: former, to: name },
    });
    return name;
  });
}
