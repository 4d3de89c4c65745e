import {
  deleteAppsOfGrant,
  deleteCode,
  findCodeGrant,
  findRefreshGrant,
  type Grant,
  type GrantKey,
  insertAppKey,
  readGrantKey,
} from '#shared/store/auth/apps.ts';
import { type Tx, withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { newSecret, sha256Hex } from '../secrets/new-secret.ts';
import { auditEndedApps } from './end-apps.ts';

/** Secret that a client presents for a token: a code or a refresh token. Null: neither. */
export type PresentedGrant = { kind: 'code' | 'refresh_token'; secret: string } | null;

/** The response of the authorization server to a token request. */
export type IssuedToken = {
  status: number;
  /** Null: it issued none. `scope` is separated by blanks. */
  token: { accessToken: string; scope: string } | null;
};

/** `expiresAt`: when the issued token ends, ISO UTC; null: none was issued. */
export type AppToken<Issued> = { issued: Issued; expiresAt: string | null };

/**
 * Answers a token request in one transaction: the authorization server's statements and ours are committed together, or
 * none is, so that a code or a refresh token is never used up for nothing. `issue` runs the authorization server in the
 * transaction; the access token that it issues is `accessToken`, an API key of the grant's mode.
 *
 * A grant whose key, app or membership has ended is removed first, so that the authorization server refuses it by
 * itself. A refresh token that was used before ends all apps of its client and user.
 */
export function issueAppToken<Issued extends IssuedToken>(
  ctx: CoreContext,
  { presented, clientId, requestId }: { presented: PresentedGrant; clientId: string; requestId: string },
  issue: (tx: Tx, accessToken: string) => Promise<Issued>,
): Promise<AppToken<Issued>> {
  return withAuth(ctx.store, async (tx) => {
    const grant = presented === null ? null : await findGrant(tx, presented);
    const key = grant === null || grant.reused ? null : await readGrantKey(tx, grant);
    if (presented !== null && grant !== null && key === null && !grant.reused)
      await endGrant(tx, { grant, presented, requestId });
    const { secret, stored } = newSecret(key?.test ?? false);
    const issued = await issue(tx, secret);
    if (issued.token !== null) {
      if (key === null || grant === null) throw new Error('a token was issued for a grant that has ended');
      return { issued, expiresAt: await keepToken(tx, { grant, key, issued: issued.token, secret, stored }) };
    }
    if (grant?.reused && clientId === grant.clientId) {
      const ended = await deleteAppsOfGrant(tx, grant, { everywhere: true });
      await auditEndedApps(tx, ended, { actor: 'system', requestId, reason: 'refresh_token_reused' });
    }
    return { issued, expiresAt: null };
  });
}

function findGrant(tx: Tx, { kind, secret }: NonNullable<PresentedGrant>): Promise<Grant | null> {
  const hash = sha256Hex(secret);
  return kind === 'code' ? findCodeGrant(tx, hash) : findRefreshGrant(tx, hash);
}

async function endGrant(
  tx: Tx,
  { grant, presented, requestId }: { grant: Grant; presented: NonNullable<PresentedGrant>; requestId: string },
): Promise<void> {
  if (presented.kind === 'code') await deleteCode(tx, sha256Hex(presented.secret));
  const ended = await deleteAppsOfGrant(tx, grant, { everywhere: false });
  await auditEndedApps(tx, ended, { actor: 'system', requestId, reason: 'key_ended' });
}

type Kept = {
  grant: Grant;
  key: GrantKey;
  issued: NonNullable<IssuedToken['token']>;
  secret: string;
  stored: ReturnType<typeof newSecret>['stored'];
};

/** Stores the token as a key. A retry gets the token of the first response, which is stored already. */
async function keepToken(tx: Tx, { grant, key, issued, secret, stored }: Kept): Promise<string | null> {
  if (issued.accessToken !== secret) return key.expiresAt;
  const expiresAt = await insertAppKey(tx, key.accountId, {
    ...stored,
    parentId: key.keyId,
    userId: grant.userId,
    scopes: issued.scope.split(' ').includes('shipments:read') ? ['shipments:read'] : [],
  });
  if (expiresAt === null) throw new Error('the issued token was not stored');
  return expiresAt;
}
