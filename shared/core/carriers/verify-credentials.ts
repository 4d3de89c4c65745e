import { sleep } from '#shared/async/sleep.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { CheckAnswer, CheckedCredentials, CredentialCheck } from '#shared/domain/carriers/credential-check.ts';
import { type CredentialValues, credentialFields } from '#shared/domain/carriers/known-connectors.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { readCarrierCredentials } from '#shared/store/carriers/carrier-credentials.ts';
import {
  deleteCredentialCheck,
  insertCredentialCheck,
  readCheckAnswer,
} from '#shared/store/carriers/credential-checks.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { carrierNamed } from './list-carriers.ts';
import { connectorOf, refuseCredentialMistakes } from './refuse-credential-mistakes.ts';
import { type SecretOwner, sealSecret } from './seal-secret.ts';

/** How long a request waits for a worker's answer. The worker's own deadline is shorter. */
export const checkWaitMs = 15_000;
/** Requests of one account that may wait at the same time. */
const maxOpenChecks = 5;
const pollMs = 150;

/** Binds entered credentials to their check. */
export function checkOwner({
  accountId,
  carrier,
  id,
}: {
  accountId: string;
  carrier: string;
  id: string;
}): SecretOwner {
  return { accountId, purpose: `credential-check:${carrier}`, id };
}

/**
 * Tries credentials with one call to the carrier, which a worker makes: the request leaves a row and waits for its
 * answer. No values: the account's stored credentials. Throws LandfallError `carrier_not_found`,
 * `carrier_not_supported`, `validation_failed`, `invalid_state` when the installation cannot store secrets, or
 * `unavailable` when too many checks are open or no worker answers.
 */
export async function verifyCarrierCredentials(
  ctx: CoreContext,
  caller: Caller,
  input: { carrier: string; values: CredentialValues },
  { waitMs = checkWaitMs }: { waitMs?: number } = {},
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
    if (
      !(await insertCredentialCheck(tx, accountId, { id, carrier: carrier.code, connector, sealed }, maxOpenChecks))
    ) {
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
  try {
    return done(await waitForAnswer(ctx, { accountId, id, waitMs }));
  } finally {
    await withAccount(ctx.store, accountId, (tx) => deleteCredentialCheck(tx, accountId, id)).catch(() => undefined);
  }
}

function nothingStored(name: string): CheckAnswer {
  const message = `You have no credentials at ${name}. Send credentials to try them, or store them first.`;
  return { outcome: 'nothing_to_verify', message, httpStatus: null, durationMs: 0, retryAfterMs: null };
}

async function waitForAnswer(
  ctx: CoreContext,
  { accountId, id, waitMs }: { accountId: string; id: string; waitMs: number },
): Promise<CheckAnswer> {
  const until = performance.now() + waitMs;
  for (;;) {
    const answer = await withAccount(ctx.store, accountId, (tx) => readCheckAnswer(tx, accountId, id));
    if (answer !== null) return answer;
    if (performance.now() >= until) {
      throw new LandfallError(
        'unavailable',
        'No worker answered in time. Check that a worker is running, and retry the request.',
        { retryAfterS: 5 },
      );
    }
    await sleep(pollMs);
  }
}
