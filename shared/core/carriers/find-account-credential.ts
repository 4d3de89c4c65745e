import type { Suspension } from '#shared/domain/carriers/carrier-credential.ts';
import type { CredentialValues } from '#shared/domain/carriers/known-connectors.ts';
import { readSealedCredential, type SealedCredential } from '#shared/store/system/credentials/carrier-credentials.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { credentialOwner, openSecret } from '../secrets/seal-secret.ts';

/** An account's own credentials, decrypted. `probeInMs`: time until one refresh may probe suspended ones. */
export type AccountCredential = {
  id: string;
  version: number;
  values: CredentialValues;
  suspension: Suspension | null;
  probeInMs: number | null;
};

/** The account's own credentials at a carrier, for a worker. Null: it has none. Throws `SecretUnreadable`. */
export async function findAccountCredential(
  ctx: CoreContext,
  accountId: string,
  carrier: string,
): Promise<AccountCredential | null> {
  const stored = await withSystem(ctx.store, (tx) => readSealedCredential(tx, accountId, carrier));
  if (stored === null) return null;
  return {
    id: stored.id,
    version: stored.version,
    values: await openValues(ctx, stored),
    suspension: stored.suspension,
    probeInMs: stored.probeInMs,
  };
}

/** Logged for the operator: the account can only store its credentials again. */
async function openValues(ctx: CoreContext, stored: SealedCredential): Promise<CredentialValues> {
  try {
    return JSON.parse(await openSecret(ctx, credentialOwner(stored), stored)) as CredentialValues;
  } catch (error) {
    ctx.log.error(
      { err: error, accountId: stored.accountId, carrier: stored.carrier },
      'stored credentials cannot be decrypted',
    );
    throw error;
  }
}
