import type { CheckAnswer } from '#shared/domain/carriers/credential-check.ts';
import type { CredentialValues } from '#shared/domain/carriers/known-connectors.ts';
import {
  answerCredentialCheck,
  type TakenCheck,
  takeCredentialChecks,
} from '#shared/store/carriers/credential-checks.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { openSecret } from './seal-secret.ts';
import { checkOwner, checkWaitMs } from './verify-credentials.ts';

export type { TakenCheck };

/** Takes up to `max` checks that requests wait for. Any number of workers may do so at the same time. */
export function takeChecks(ctx: CoreContext, max: number): Promise<TakenCheck[]> {
  return withSystem(ctx.store, (tx) => takeCredentialChecks(tx, { max, waitS: checkWaitMs / 1000 }));
}

/** The entered credentials of a check. Null: the stored ones are meant. Throws `SecretUnreadable`. */
export async function enteredValues(ctx: CoreContext, check: TakenCheck): Promise<CredentialValues | null> {
  if (check.sealed === null) return null;
  return JSON.parse(await openSecret(ctx, checkOwner(check), check.sealed)) as CredentialValues;
}

export function answerCheck(ctx: CoreContext, check: TakenCheck, answer: CheckAnswer): Promise<void> {
  return withSystem(ctx.store, (tx) => answerCredentialCheck(tx, check, answer));
}
