import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { operatorsAccount } from '#shared/domain/members/role.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import {
  markAccountRemoved,
  removeAccountStep,
  removeEmptyAccount,
  removeMembersOf,
} from '#shared/store/removal/remove-account.ts';
import { findAccount } from '#shared/store/system/accounts.ts';
import { withAuth, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { retryLostRaces } from '../retry-lost-races.ts';

/**
 * Ends all access to an account and marks it: the workers remove everything it has. For the operator alone. Safe to
 * repeat. Throws LandfallError `account_not_found`, or `invalid_state` for the account that runs the installation.
 */
export async function removeAccount(ctx: CoreContext, caller: Caller, name: string): Promise<string> {
  if (name === operatorsAccount)
    throw new LandfallError(
      'invalid_state',
      `The account ${operatorsAccount} runs the installation and can't be removed.`,
    );
  const accountId = await withSystem(ctx.store, (tx) => findAccount(tx, name));
  if (accountId === null) throw new LandfallError('account_not_found', `There is no account ${name}.`);
  // Before the mark, behind which the workers may remove the account and its name at any moment, and again after it.
  await withAuth(ctx.store, (tx) => removeMembersOf(tx, accountId));
  await withSystem(ctx.store, async (tx) => {
    if (!(await markAccountRemoved(tx, accountId))) return;
    await appendAudit(tx, accountId, {
      actor: actorOf(caller),
      action: 'account.removed',
      subjectType: 'account',
      subjectId: accountId,
      requestId: caller.requestId,
      detail: {},
    });
  });
  await withAuth(ctx.store, (tx) => removeMembersOf(tx, accountId));
  return accountId;
}

export type RemovalOptions = {
  signal?: AbortSignal;
  /** Called with the number of shipments that were just removed. */
  onRemoved?: (shipments: number, by: 'retention' | 'account') => void;
};

/** Before other accounts have their turn. Each step is a transaction. */
const stepsPerRun = 100;

/**
 * Removes what is left of a marked account, in small transactions, and at last the account. Returns whether it is gone:
 * a large one takes several runs.
 */
export async function finishRemoval(ctx: CoreContext, accountId: string, options: RemovalOptions): Promise<boolean> {
  for (let count = 0; count < stepsPerRun; count++) {
    if (options.signal?.aborted === true) return false;
    const step = await retryLostRaces(() => withSystem(ctx.store, (tx) => removeAccountStep(tx, accountId)));
    if (step.shipments > 0) options.onRemoved?.(step.shipments, 'account');
    if (step.rows > 0) continue;
    await withSystem(ctx.store, (tx) => removeEmptyAccount(tx, accountId));
    return true;
  }
  return false;
}
