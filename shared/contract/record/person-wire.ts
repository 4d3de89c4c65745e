import { z } from 'zod';
import type { NamedPerson } from '#shared/domain/notes/note.ts';
import type { Assignee } from '#shared/domain/record/shipment.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';

/** Id of a member. */
export const memberId = z.string().meta({
  description: 'Id of the member: `user_` followed by 26 characters.',
  examples: ['user_01kahf3m2xfr5tq4d8z9w6c7yb'],
});

/** The id of a member in a body. */
export const memberIdInput = z.string().refine((text) => decodeTypeId('user', text) !== null, {
  error: 'must be the id of a member: user_ followed by 26 characters. See GET /v1/members.',
  params: { code: 'invalid_value' },
});

/** The uuid of a checked member id. */
export function readMemberId(text: string): string {
  return decodeTypeId('user', text) ?? text;
}

const name = z.string().meta({ description: 'Name of the member.', examples: ['Anna Berg'] });

/** To whom a shipment is assigned. */
export const wireAssignee = z
  .strictObject({ member_id: memberId, name })
  .meta({ id: 'Assignee', description: 'Member to whom the shipment is assigned.' });

export const wireMember = z
  .strictObject({ member_id: memberId, name })
  .meta({ id: 'Member', description: 'A member of the account.' });

/** Member whom a note mentions. */
export const wireMentioned = z.strictObject({
  member_id: memberId,
  name,
  has_left: z.boolean().meta({ description: 'Whether the person is no longer a member.', examples: [false] }),
});

export function toWireAssignee(assignee: Assignee | null | undefined): z.infer<typeof wireAssignee> | null {
  return assignee ? { member_id: toMemberId(assignee.userId), name: assignee.name } : null;
}

export function toWireMentioned({ userId, name: shown, hasLeft }: NamedPerson): z.infer<typeof wireMentioned> {
  return { member_id: toMemberId(userId), name: shown, has_left: hasLeft };
}

export function toMemberId(userId: string): string {
  return encodeTypeId('user', userId);
}
