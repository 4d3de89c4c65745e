import type { Caller } from '#shared/domain/caller.ts';
import { type Limits, limitsOf } from '#shared/domain/keys/limits.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { mergeAccountLimits } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from './key-permissions.ts';

/**
 * Changes the rate limits of each key of the account; limits that aren't named stay. Takes effect in every process
 * within a second. For the operator alone: no route calls it. Returns the effective limits.
 */
export async function setAccountLimits(ctx: CoreContext, caller: Caller, changes: Partial<Limits>): Promise<Limits> {
  const { accountId } = caller;
  return withSystem(ctx.store, async (tx) => {
    const own = await mergeAccountLimits(tx, accountId, changes);
    if (Object.keys(changes).length > 0) {
      await appendAudit(tx, accountId, {
        actor: actorOf(caller),
        action: 'account.limits_changed',
        subjectType: 'account',
        subjectId: accountId,
        requestId: caller.requestId,
        detail: changes,
      });
    }
    return limitsOf(own);
  });
}
