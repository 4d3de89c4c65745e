import type { Caller } from '#shared/domain/caller.ts';
import type { CarrierCredential } from '#shared/domain/carriers/carrier-credential.ts';
import type { CredentialValues } from '#shared/domain/carriers/known-connectors.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import {
  lockCarrierCredential,
  removeCarrierCredential,
  writeCarrierCredential,
} from '#shared/store/carriers/carrier-credentials.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { makeOneDue, wakeWaiting } from '#shared/store/tracking/credential-wakes.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { credentialOwner, sealSecret } from '../secrets/seal-secret.ts';
import { carrierNamed } from './list-carriers.ts';
import { connectorOf, refuseCredentialMistakes } from './refuse-credential-mistakes.ts';

const attempts = 3;

/**
 * Replaces the account's own credentials at a carrier, ends their suspension, and makes due what waited for them; if
 * nothing did, one shipment is made due to try them. Throws LandfallError `carrier_not_found`, `carrier_not_supported`,
 * `validation_failed`, or `invalid_state` when the installation cannot store secrets.
 */
export async function setCarrierCredentials(
  ctx: CoreContext,
  caller: Caller,
  input: { carrier: string; values: CredentialValues },
): Promise<CarrierCredential> {
  const carrier = carrierNamed(input.carrier);
  const connector = connectorOf(carrier);
  const fields = refuseCredentialMistakes(carrier, connector, input.values);
  const plaintext = JSON.stringify(Object.fromEntries(fields.map((field) => [field, input.values[field]])));
  const { accountId } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const id = (await lockCarrierCredential(tx, accountId, carrier.code))?.id ?? globalThis.crypto.randomUUID();
      const { keyVersion, sealed } = await sealSecret(
        ctx,
        credentialOwner({ accountId, carrier: carrier.code, id }),
        plaintext,
      );
      const written = await writeCarrierCredential(tx, accountId, {
        id,
        carrier: carrier.code,
        connector,
        fields,
        keyVersion,
        sealed,
      });
      // Null: a concurrent request created the row. The next attempt finds it.
      if (written === null) continue;
      await audit(tx, caller, { action: 'carrier_credentials.set', id, detail: { carrier: carrier.code, fields } });
      if ((await wakeWaiting(tx, accountId, carrier.code)) === 0) await makeOneDue(tx, accountId, carrier.code);
      return written;
    }
    throw new LandfallError('unavailable', 'Other requests are changing these credentials. Retry the request.', {
      retryAfterS: 1,
    });
  });
}

/** Removes the account's own credentials at a carrier. Idempotent. Throws LandfallError `carrier_not_found`. */
export async function removeCarrierCredentials(ctx: CoreContext, caller: Caller, code: string): Promise<void> {
  const carrier = carrierNamed(code);
  const { accountId } = caller;
  await withAccount(ctx.store, accountId, async (tx) => {
    const locked = await lockCarrierCredential(tx, accountId, carrier.code);
    if (locked === null || !(await removeCarrierCredential(tx, accountId, carrier.code))) return;
    await audit(tx, caller, {
      action: 'carrier_credentials.removed',
      id: locked.id,
      detail: { carrier: carrier.code },
    });
    await wakeWaiting(tx, accountId, carrier.code);
  });
}

function audit(
  tx: Tx,
  caller: Caller,
  entry: { action: string; id: string; detail: Record<string, unknown> },
): Promise<void> {
  return appendAudit(tx, caller.accountId, {
    actor: actorOf(caller),
    action: entry.action,
    subjectType: 'carrier_credentials',
    subjectId: entry.id,
    requestId: caller.requestId,
    detail: entry.detail,
  });
}
