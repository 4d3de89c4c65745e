import { type FoundShare, findShare } from '#shared/store/shares/find-share.ts';
import { readShareLogo } from '#shared/store/shares/share-settings.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { isSharePassword, shareAdmission } from './share-password.ts';
import { shareTokenHash } from './share-token.ts';

export type { FoundShare };

/** The share that a presented token opens. Null for a token that is wrong, malformed, expired or revoked. */
export async function openShare(ctx: CoreContext, token: string): Promise<FoundShare | null> {
  const tokenHash = shareTokenHash(token);
  return tokenHash === null || !ctx.settings.sharedPages ? null : findShare(ctx.store, tokenHash);
}

/** True when a browser that presents this admission, or none, may see the page. */
export function isAdmitted({ shareId, passwordHash }: FoundShare, admission: string | null): boolean {
  return passwordHash === null || admission === shareAdmission(shareId, passwordHash);
}

/** The admission that the right password gives. Null: the password is wrong. */
export async function admit({ shareId, passwordHash }: FoundShare, password: string): Promise<string | null> {
  if (passwordHash === null) return null;
  return (await isSharePassword(password, { shareId, passwordHash })) ? shareAdmission(shareId, passwordHash) : null;
}

/** The account's logo, a PNG. Null: it has none. */
export function readLogo(ctx: CoreContext, accountId: string): Promise<Buffer | null> {
  return withAccount(ctx.store, accountId, (tx) => readShareLogo(tx, accountId));
}
