import type { Caller } from '#shared/domain/caller.ts';
import type { Registration } from '#shared/domain/shipments/shipment.ts';
import { annotateSpan, linkSpan } from '#shared/telemetry/events.ts';
import type { CoreContext } from '../core-context.ts';
import { enqueueFirstRefreshes } from './enqueue-first-refreshes.ts';
import { type GroupMember, type RegistrationResult, registerGroup } from './register-group.ts';
import { prepareIntake } from './registration-intake.ts';

/**
 * Registers a shipment and gives the answer once it is committed; its first refresh goes to the queue, whose failure fails nothing. An open
 * shipment with the same number is given instead, with the identifiers it lacked. Throws LandfallError `carrier_not_supported`,
 * `identifier_not_trackable`, `identifier_conflict`, `reference_conflict`, `idempotency_in_progress`, `idempotency_mismatch`, `unavailable`.
 */
export async function registerShipment(
  ctx: CoreContext,
  caller: Caller,
  registration: Registration,
): Promise<RegistrationResult> {
  const member = { caller, intake: prepareIntake(ctx, caller, registration), traceparent: ctx.traceparent() };
  if (ctx.registrations === undefined) return registerAlone(ctx, member);
  const { result, groupSize, groupTraceparent } = await ctx.registrations.register(member);
  annotateSpan({ 'registration.group_size': groupSize });
  if (groupTraceparent !== null) linkSpan(groupTraceparent);
  return result;
}

async function registerAlone(ctx: CoreContext, member: GroupMember): Promise<RegistrationResult> {
  const { answers, firstRefreshes } = await registerGroup(ctx, [member]);
  const [answer] = answers;
  if (answer === undefined || answer instanceof Error) throw answer ?? new Error('a registration has no answer');
  await enqueueFirstRefreshes(ctx, member.caller.accountId, firstRefreshes);
  return answer;
}
