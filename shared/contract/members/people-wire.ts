import { z } from 'zod';
import { passwordLength, type Role, roles } from '#shared/domain/members/role.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { plainText } from '../input/plain-text.ts';
import { wireApiKey } from '../keys/api-key-wire.ts';

export const personName = plainText({ max: 200 });
/** The name of an account in the dashboard. Names need not differ: an account is known by its id. */
export const renameAccountBody = z.strictObject({ name: plainText({ max: 200 }) });
export const wireAccountName = z.strictObject({ name: z.string() });
export const emailAddress = z
  .string()
  .trim()
  .max(254)
  .refine((text) => z.email().safeParse(text).success, { error: 'must be an email address.' });
export const newPassword = z.string().min(passwordLength.least).max(passwordLength.most);
export const linkToken = z.string().min(1).max(200);
export const wireRole = z.enum(roles);

export const wireMember = z.strictObject({
  /** Id of the user: `user_…`. */
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: wireRole,
  /** True for the signed-in user. */
  you: z.boolean(),
  joined_at: z.iso.datetime(),
});
export type WireMember = z.infer<typeof wireMember>;
export const wireMembers = z.strictObject({ data: z.array(wireMember) });
export const changeMemberBody = z.strictObject({ role: wireRole });

/** `revoke_keys=true` also revokes the keys that the member made. */
export const removeMemberQuery = z.object({ revoke_keys: z.enum(['true', 'false']).optional() });

/** The valid keys that the member made, or made with such a key. */
export const wireMemberKeys = z.strictObject({ data: z.array(wireApiKey) });

type ShownMember = { userId: string; name: string; email: string; role: Role; joinedAt: string };

export function toWireMember(
  { userId, name, email, role, joinedAt }: ShownMember,
  signedInUserId: string | undefined,
): WireMember {
  return { id: encodeTypeId('user', userId), name, email, role, you: userId === signedInUserId, joined_at: joinedAt };
}

const invite = {
  id: z.string(),
  email: z.string(),
  role: wireRole,
  /** Name of the user who sent the invitation. */
  invited_by: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
};
export const wireInvite = z.strictObject(invite);
export type WireInvite = z.infer<typeof wireInvite>;
export const wireInvites = z.strictObject({ data: z.array(wireInvite) });
/** `link` is returned only once. */
export const wireNewInvite = z.strictObject({ ...invite, link: z.string() });
export const createInviteBody = z.strictObject({ email: emailAddress, role: wireRole });

type ShownInvite = { id: string; email: string; role: Role; invitedBy: string; createdAt: string; expiresAt: string };

export function toWireInvite({ id, email, role, invitedBy, createdAt, expiresAt }: ShownInvite): WireInvite {
  return {
    id: encodeTypeId('inv', id),
    email,
    role,
    invited_by: invitedBy,
    created_at: createdAt,
    expires_at: expiresAt,
  };
}
