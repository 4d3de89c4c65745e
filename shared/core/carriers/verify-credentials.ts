import type { Caller } from '#shared/domain/caller.ts';
import type { CheckAnswer, CheckedCredentials, CredentialCheck } from '#shared/domain/carriers/credential-check.ts';
import { type CredentialValues, credentialFields } from '#shared/domain/carriers/known-connectors.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { readCarrierCredentials } from '#shared/store/carriers/carrier-credentials.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { openSecret, type SecretOwner, sealSecret } from '../secrets/seal-secret.ts';
import type { TakenQuestion } from './answer-questions.ts';
import { leaveQuestion, waitForAnswer } from './ask-worker.ts';
import { carrierNamed } from './list-carriers.ts';
import { connectorOf, refuseCredentialMistakes } from './refuse-credential-mistakes.ts';

/** Binds entered credentials to their check. */
function checkOwner({ accountId, carrier, id }: { accountId: string; carrier: string; id: string }): SecretOwner {
  return { accountId, purpose: `credential-check:${carrier}`, id };
}

/** The entered credentials of a check. Null: the stored ones are meant. Throws `SecretUnreadable`. */
export async function enteredValues(
  ctx: CoreContext,
  { accountId, id, question: { carrier }, sealed }: TakenQuestion<'credential_check'>,
): Promise<CredentialValues | null> {
  if (sealed === null) return null;
  return JSON.parse(await openSecret(ctx, checkOwner({ accountId, carrier, id }), sealed)) as CredentialValues;
}

/**
 * Tries credentials with one call to the carrier, which a worker makes. No values: the account's stored credentials.
 * Throws LandfallError `carrier_not_found`, `carrier_not_supported`, `validation_failed`, `invalid_state` when the
 * installation cannot store secrets, or `unavailable` when too many checks are open or no worker answers.
 */
export async function verifyCarrierCredentials(
  ctx: CoreContext,
  caller: Caller,
  input: { carrier: string; values: CredentialValues },
  { waitMs = null }: { waitMs?: number | null } = {},
): Promise<CredentialCheck> {
  const carrier = carrierNamed(input.carrier);
  const connector = connectorOf(carrier);
  const isEntered = credentialFields.some((field) => input.values[field] !== undefined);
  const credentials: CheckedCredentials = isEntered ? 'entered' : 'stored';
  if (isEntered) refuseCredentialMistakes(carrier, connector, input.values);
  const { accountId } = caller;
  const id = globalThis.crypto.randomUUID();
  const done = (answer: CheckAnswer): CredentialCheck => ({
    ...answer,
    carrier: carrier.code,
    credentials,
    checkedAt: ctx.now().toISOString(),
  });
  const owner = checkOwner({ accountId, carrier: carrier.code, id });
  const sealed = isEntered ? await sealSecret(ctx, owner, JSON.stringify(input.values)) : null;
  const isAsked = await withAccount(ctx.store, accountId, async (tx) => {
    const own = isEntered ? [] : await readCarrierCredentials(tx, accountId);
    if (!isEntered && !own.some((one) => one.carrier === carrier.code)) return false;
    const question = { carrier: carrier.code, connector };
    if (!(await leaveQuestion(tx, accountId, { id, kind: 'credential_check', question, sealed }))) {
      throw new LandfallError('unavailable', 'Other checks of credentials are running. Retry when they have ended.', {
        retryAfterS: 5,
      });
    }
    await appendAudit(tx, accountId, {
      actor: actorOf(caller),
      action: 'carrier_credentials.verified',
      subjectType: 'carrier_credentials',
      subjectId: id,
      requestId: caller.requestId,
      detail: { carrier: carrier.code, credentials },
    });
    return true;
  });
  if (!isAsked) return done(nothingStored(carrier.name));
  const { answer } = await waitForAnswer(ctx, { accountId, id, kind: 'credential_check', waitMs });
  return done(answer);
}

function nothingStored(name: string): CheckAnswer {
  const message = `You have no credentials at ${name}. Send credentials to try them, or store them first.`;
  return { outcome: 'nothing_to_verify', message, httpStatus: null, durationMs: 0, retryAfterMs: null };
}
