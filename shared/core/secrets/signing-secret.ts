import {
  deleteSigningSecret,
  readSigningSecret,
  replaceSigningSecret,
  type StoredSigningSecret,
} from '#shared/store/auth/signing-secret.ts';
import { withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { openSecret, resealSecret, type SealedSecret, SecretUnreadable, sealSecret } from './seal-secret.ts';

type SecretContext = Pick<CoreContext, 'store' | 'secretKeys'>;

const owner = { accountId: null, purpose: 'signing-secret', id: 'sessions' };

/** The keys of this process can't decrypt the stored signing secret. */
export class SigningSecretUnreadable extends Error {
  constructor(keyVersion: string, cause?: Error) {
    super(
      `CREDENTIAL_KEYS cannot decrypt the secret that signs session cookies, which was encrypted with the key ` +
        `${keyVersion}. Put the previous ${keyVersion} back into CREDENTIAL_KEYS; add new keys without removing it. If ` +
        'the key is lost, run npm run keys -- forget-signing-secret; all users must then sign in again. See "Lost ' +
        'credential keys" in docs/operate/operations.md',
      { cause },
    );
    this.name = 'SigningSecretUnreadable';
  }
}

/**
 * The secret that signs session cookies, the same in every process. It is stored sealed with the installation's current
 * key, and resealed after a rotation. Without keys it is stored as it is: it forges nothing on its own, because the
 * tokens it signs are stored as hashes. Throws SigningSecretUnreadable if this process doesn't have its key. It is
 * never replaced: one process with wrong keys would sign out everybody.
 */
export async function ensureSigningSecret(ctx: SecretContext): Promise<string> {
  for (;;) {
    const was = await withAuth(ctx.store, readSigningSecret);
    const { secret, now } = was === null ? await created(ctx) : await opened(ctx, was);
    if (now === was) return secret;
    if (await withAuth(ctx.store, (tx) => replaceSigningSecret(tx, was, now))) return secret;
  }
}

/** Deletes the secret, so that the next process to start creates another one. False: there was none. */
export function forgetSigningSecret(ctx: SecretContext): Promise<boolean> {
  return withAuth(ctx.store, deleteSigningSecret);
}

type Opened = { secret: string; now: StoredSigningSecret };

async function created(ctx: SecretContext): Promise<Opened> {
  const secret = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
  return { secret, now: await sealed(ctx, secret) };
}

async function sealed(ctx: SecretContext, secret: string): Promise<StoredSigningSecret> {
  if (ctx.secretKeys === null) return { keyVersion: null, secret: Buffer.from(secret) };
  return stored(await sealSecret(ctx, owner, secret));
}

async function opened(ctx: SecretContext, was: StoredSigningSecret): Promise<Opened> {
  if (was.keyVersion === null) {
    const secret = was.secret.toString();
    return { secret, now: ctx.secretKeys === null ? was : await sealed(ctx, secret) };
  }
  if (ctx.secretKeys === null) throw new SigningSecretUnreadable(was.keyVersion);
  const present: SealedSecret = { keyVersion: was.keyVersion, sealed: was.secret };
  try {
    const isCurrent = ctx.secretKeys.present === was.keyVersion;
    const now = isCurrent ? was : stored(await resealSecret(ctx, owner, present));
    return { secret: await openSecret(ctx, owner, present), now };
  } catch (error) {
    throw error instanceof SecretUnreadable ? new SigningSecretUnreadable(was.keyVersion, error) : error;
  }
}

function stored({ keyVersion, sealed: secret }: SealedSecret): StoredSigningSecret {
  return { keyVersion, secret };
}
