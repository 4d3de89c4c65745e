import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { markRevoked, readShare } from '#shared/store/shares/shares.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';

/** Ends a link for good. Safe to repeat. Throws LandfallError `share_not_found`. */
export function revokeShare(ctx: CoreContext, caller: Caller, id: string): Promise<void> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const share = await readShare(tx, accountId, { id, test });
    if (share === null) throw new LandfallError('share_not_found', 'Share not found.');
    if (!(await markRevoked(tx, accountId, id))) return;
    await appendAudit(tx, accountId, {
      actor: actorOf(caller),
      action: 'share.revoked',
      subjectType: 'share',
      subjectId: id,
      requestId: caller.requestId,
      detail: { shipment_id: share.shipmentId },
    });
  });
}
