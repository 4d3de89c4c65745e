import { deleteAppsOfGrant, findRefreshGrant, hasLiveRefreshToken } from '#shared/store/auth/apps.ts';
import { type Tx, withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { sha256Hex } from '../secrets/new-secret.ts';
import { auditEndedApps } from './end-apps.ts';

/**
 * Answers a request to revoke a token (RFC 7009) in one transaction. `revoke` runs the authorization server. An app that
 * revokes its refresh token is disconnected with all of its tokens.
 */
export function revokeAppToken<Answer extends { status: number }>(
  ctx: CoreContext,
  { token, clientId, requestId }: { token: string; clientId: string; requestId: string },
  revoke: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  return withAuth(ctx.store, async (tx) => {
    const grant = await findRefreshGrant(tx, sha256Hex(token));
    const answer = await revoke(tx);
    if (grant === null || grant.clientId !== clientId || answer.status >= 400) return answer;
    if (await hasLiveRefreshToken(tx, grant)) return answer;
    const ended = await deleteAppsOfGrant(tx, grant, { everywhere: false });
    await auditEndedApps(tx, ended, { actor: 'system', requestId, reason: 'revoked_by_app' });
    return answer;
  });
}
