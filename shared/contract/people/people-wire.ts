import { z } from 'zod';
import type { Role } from '#shared/domain/people/role.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { emailAddress, linkToken, newPassword, personName, wireRole } from './person-fields.ts';

export const wireMember = z.strictObject({
  /** Of the user: `user_…`. */
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: wireRole,
  /** The one who asks. */
  you: z.boolean(),
  joined_at: z.iso.datetime(),
});
export type WireMember = z.infer<typeof wireMember>;
export const wireMembers = z.strictObject({ data: z.array(wireMember) });
export const changeMemberBody = z.strictObject({ role: wireRole });

type ShownMember = { userId: string; name: string; email: string; role: Role; joinedAt: string };

export function toWireMember(
  { userId, name, email, role, joinedAt }: ShownMember,
  askingUserId: string | undefined,
): WireMember {
  return { id: encodeTypeId('user', userId), name, email, role, you: userId === askingUserId, joined_at: joinedAt };
}

const invite = {
  id: z.string(),
  email: z.string(),
  role: wireRole,
  /** Name of who invited. */
  invited_by: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
};
export const wireInvite = z.strictObject(invite);
export type WireInvite = z.infer<typeof wireInvite>;
export const wireInvites = z.strictObject({ data: z.array(wireInvite) });
/** `link` is shown this one time. */
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

/** Posted, so that it is in no address and in no log of one. */
export const tokenBody = z.strictObject({ token: linkToken });

/** What a link invites to. `known`: somebody signs in with the address already, and joins by signing in. */
export const wireInvitedTo = z.strictObject({
  account_name: z.string(),
  email: z.string(),
  role: wireRole,
  known: z.boolean(),
});
/** `name` and `password` make a new user; without them who is signed in joins. */
export const acceptInviteBody = z.strictObject({
  token: linkToken,
  name: personName.optional(),
  password: newPassword.optional(),
});

export const wireClaimCheck = z.strictObject({ valid: z.boolean() });
export const claimBody = z.strictObject({
  token: linkToken,
  name: personName,
  email: emailAddress,
  password: newPassword,
});

/** Who chooses a new password by a link. */
export const wireResetCheck = z.strictObject({ name: z.string(), email: z.string() });
export const resetPasswordBody = z.strictObject({ token: linkToken, password: newPassword });

export const signInBody = z.strictObject({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(1000),
  /** False: the session ends with the browser. */
  rememberMe: z.boolean().optional(),
});
/** Field names are better-auth's. */
export const changePasswordBody = z.strictObject({
  currentPassword: z.string().min(1).max(1000),
  newPassword,
  revokeOtherSessions: z.boolean().optional(),
});
export const updateUserBody = z.strictObject({ name: personName });
export const wireUser = z.strictObject({
  user: z.strictObject({ id: z.string(), name: z.string(), email: z.string() }),
});
