import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import { annotateSpan, linkSpan } from '#shared/telemetry/events.ts';
import { prepareRegistration } from './prepare-registration.ts';
import type { RegistrationContext, RegistrationResult } from './registration-batcher.ts';

/**
 * Registers a shipment and returns once it is committed. An open shipment with the same number is returned instead, with
 * the identifiers that it lacked. Putting the first refresh on the queue is not awaited and cannot fail the request.
 * Throws LandfallError `identifier_conflict`, `reference_conflict`, `idempotency_in_progress`, `idempotency_mismatch`,
 * `unavailable`, and what `prepareRegistration` returns.
 */
export async function registerShipment(
  ctx: RegistrationContext,
  caller: Caller,
  sent: SentRegistration,
): Promise<RegistrationResult> {
  const prepared = prepareRegistration(caller, sent);
  if (prepared instanceof LandfallError) throw prepared;
  const pending = { ctx, caller, prepared, traceparent: ctx.traceparent() };
  const { result, batchSize, batchTraceparent } = await ctx.registrations.register(pending);
  annotateSpan({ 'registration.batch_size': batchSize });
  if (batchTraceparent !== null) linkSpan(batchTraceparent);
  return result;
}
