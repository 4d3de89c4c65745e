import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Assignee, Shipment } from '#shared/domain/record/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { forgetAssignments } from '#shared/store/alerts/note-entries.ts';
import { readActorName, readPeopleByName } from '#shared/store/auth/account-directory.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { lockRecipients, notifyMembers } from '../notices/notify-members.ts';

/**
 * The member by name, whose membership is held until the transaction ends. Throws LandfallError `validation_failed` for
 * anybody else.
 */
export async function readAssignee(tx: Tx, accountId: string, userId: string): Promise<Assignee> {
  const { name } = await findMember(tx, accountId, userId);
  await lockRecipients(tx, accountId, [userId]);
  return { userId, name };
}

/**
 * Runs the effects of another assignee, after it was written: the member is notified unless they made the change
 * themselves, and it is audited. Throws LandfallError `validation_failed` if the member has left since then.
 */
export async function followAssignment(
  ctx: CoreContext,
  tx: Tx,
  { caller, shipment, change: [before, after] }: { caller: Caller; shipment: Shipment; change: AssigneeChange },
): Promise<void> {
  const { accountId, userId } = caller;
  const shipmentId = shipment.id;
  // The foreign key holds the member's row by now, so that a later removal finds the assignment and releases it.
  if (after !== null) await findMember(tx, accountId, after.userId);
  if (before !== null) await forgetAssignments(tx, accountId, { shipmentId, userId: before.userId });
  if (after !== null && after.userId !== userId) {
    const name = await readActorName(tx, accountId, caller);
    const actor = userId === undefined ? `The API key “${name ?? ''}”` : name;
    const notification = {
      key: `assigned ${encodeTypeId('shp', shipmentId)} ${shipment.version + 1}`,
      shipment,
      lines: [`${actor ?? 'A former member'} assigned this shipment to you`],
      anchor: '',
    };
    await notifyMembers(ctx, tx, { accountId, userIds: [after.userId], notification });
  }
  await appendAudit(tx, accountId, {
    actor: actorOf(caller),
    action: 'shipment.assigned',
    subjectType: 'shipment',
    subjectId: shipmentId,
    requestId: caller.requestId,
    detail: { from: idOf(before), to: idOf(after) },
  });
}

type AssigneeChange = [Assignee | null, Assignee | null];

async function findMember(tx: Tx, accountId: string, userId: string) {
  const person = (await readPeopleByName(tx, accountId, [userId])).get(userId);
  if (person !== undefined && !person.hasLeft) return person;
  const detail = `${encodeTypeId('user', userId)} is not a member of the account. See GET /v1/members.`;
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/assignee', code: 'invalid_value', detail }],
  });
}

function idOf(assignee: Assignee | null): string | null {
  return assignee && encodeTypeId('user', assignee.userId);
}
