import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { deleteApp, type EndedApp } from '#shared/store/auth/apps.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { type Tx, withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';

/** Reason for the end of an app's access. */
export type EndReason =
  | 'disconnected'
  /** By the app itself. */
  | 'revoked_by_app'
  | 'refresh_token_reused'
  /** The key was revoked or has expired, or who connected the app is no longer a member. */
  | 'key_ended'
  | 'member_removed';

/** Writes the end of apps, with all of their tokens, to the audit logs of their accounts. */
export async function auditEndedApps(
  tx: Tx,
  ended: readonly EndedApp[],
  { actor, requestId, reason }: { actor: string; requestId: string; reason: EndReason },
): Promise<void> {
  for (const { accountId, id, keyId, clientId, name } of ended) {
    await appendAudit(tx, accountId, {
      actor,
      action: 'app.disconnected',
      subjectType: 'app',
      subjectId: id,
      requestId,
      detail: { app: name, clientId, key: encodeTypeId('key', keyId), reason },
    });
  }
}

/**
 * Ends a connected app: its access tokens are refused within one second, and its refresh token at once. Throws
 * LandfallError `api_key_not_found`.
 */
export function disconnectApp(ctx: CoreContext, caller: Caller, appId: string): Promise<void> {
  return withAuth(ctx.store, async (tx) => {
    const ended = await deleteApp(tx, caller.accountId, appId);
    if (ended === null) throw new LandfallError('api_key_not_found', 'Connected app not found.');
    const by = { actor: actorOf(caller), requestId: caller.requestId };
    await auditEndedApps(tx, [ended], { ...by, reason: 'disconnected' });
  });
}
