import {
  readSigningSecret,
  replaceSigningSecret,
  type StoredSigningSecret,
} from '#shared/store/auth/signing-secret.ts';
import { withAuth } from '#shared/store/with-account.ts';
import { openSecret, resealSecret, type SealedSecret, SecretUnreadable, sealSecret } from '../carriers/seal-secret.ts';
import type { CoreContext } from '../core-context.ts';

const owner = { accountId: null, purpose: 'signing-secret', id: 'sessions' };

/**
 * The secret that signs session cookies, the same in every process. It is stored sealed with the installation's current
 * key, and resealed after a rotation. Without keys it is stored as it is: it forges nothing on its own, because the
 * tokens it signs are stored as hashes. A secret whose key is lost is replaced, which signs everybody out. Throws
 * LandfallError `invalid_state` if the secret is sealed and this process has no keys.
 */
export async function ensureSigningSecret(ctx: CoreContext): Promise<string> {
  for (;;) {
    const was = await withAuth(ctx.store, readSigningSecret);
    const { secret, now } = (was === null ? null : await opened(ctx, was)) ?? (await created(ctx));
    if (now === was) return secret;
    if (await withAuth(ctx.store, (tx) => replaceSigningSecret(tx, was, now))) return secret;
  }
}

type Opened = { secret: string; now: StoredSigningSecret };

async function created(ctx: CoreContext): Promise<Opened> {
  const secret = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
  return { secret, now: await sealed(ctx, secret) };
}

async function sealed(ctx: CoreContext, secret: string): Promise<StoredSigningSecret> {
  if (ctx.secretKeys === null) return { keyVersion: null, secret: Buffer.from(secret) };
  return stored(await sealSecret(ctx, owner, secret));
}

/** Null: the key is lost. */
async function opened(ctx: CoreContext, was: StoredSigningSecret): Promise<Opened | null> {
  if (was.keyVersion === null) {
    const secret = was.secret.toString();
    return { secret, now: ctx.secretKeys === null ? was : await sealed(ctx, secret) };
  }
  const present: SealedSecret = { keyVersion: was.keyVersion, sealed: was.secret };
  try {
    // First, because it tells a process without keys what to do.
    const isCurrent = ctx.secretKeys?.present === was.keyVersion;
    const now = isCurrent ? was : stored(await resealSecret(ctx, owner, present));
    return { secret: await openSecret(ctx, owner, present), now };
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    ctx.log.warn({ err: error }, 'signing secret replaced: its key is lost; all users must sign in again');
    return null;
  }
}

function stored({ keyVersion, sealed: secret }: SealedSecret): StoredSigningSecret {
  return { keyVersion, secret };
}
