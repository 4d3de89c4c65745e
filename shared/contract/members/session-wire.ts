import { z } from 'zod';
import type { Role } from '#shared/domain/members/role.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { emailAddress, linkToken, newPassword, personName, wireRole } from './people-wire.ts';

/** The signed-in user, their accounts, and the installation. */
export const wireSession = z.strictObject({
  user: z.strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    /** True when the user may see the state of the installation. */
    is_operator: z.boolean(),
  }),
  /** By name; may be empty. `id` is sent in the header `landfall-account`. */
  accounts: z.array(z.strictObject({ id: z.string(), name: z.string(), role: wireRole, tests_allowed: z.boolean() })),
  /** Version of Landfall. */
  version: z.string(),
  /** True when carriers that are not configured are simulated. */
  simulated: z.boolean(),
  public_base_url: z.string(),
  /** Apps can be connected with OAuth. Absent: they can't. */
  mcp_oauth: z.literal(true).optional(),
});

export type WireSession = z.infer<typeof wireSession>;

export type ShownSession = {
  user: { id: string; name: string; email: string };
  isOperator: boolean;
  memberships: readonly { accountId: string; name: string; role: Role }[];
  installation: { version: string; simulated: boolean; publicBaseUrl: string; oauth: boolean };
};

export function toWireSession({ user, isOperator, memberships, installation }: ShownSession): WireSession {
  return {
    user: { id: encodeTypeId('user', user.id), name: user.name, email: user.email, is_operator: isOperator },
    accounts: memberships.map(({ accountId, name, role }) => ({
      id: encodeTypeId('acc', accountId),
      name,
      role,
      tests_allowed: true,
    })),
    version: installation.version,
    simulated: installation.simulated,
    public_base_url: installation.publicBaseUrl,
    ...(installation.oauth && { mcp_oauth: true }),
  };
}

export const wireSignIn = z.strictObject({
  id: z.string(),
  /** True for the session of this request. */
  current: z.boolean(),
  address: z.string().nullable(),
  user_agent: z.string().nullable(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

export const wireSignIns = z.strictObject({ data: z.array(wireSignIn) });
export type WireSignIns = z.infer<typeof wireSignIns>;

export type ShownSignIn = {
  id: string;
  address: string | null;
  userAgent: string | null;
  createdAt: string;
  expiresAt: string;
};

export function toWireSignIns(sessions: readonly ShownSignIn[], currentId: string): WireSignIns {
  return {
    data: sessions.map(({ id, address, userAgent, createdAt, expiresAt }) => ({
      id: encodeTypeId('ses', id),
      current: id === currentId,
      address,
      user_agent: userAgent,
      created_at: createdAt,
      expires_at: expiresAt,
    })),
  };
}

export const wireUser = z.strictObject({
  user: z.strictObject({ id: z.string(), name: z.string(), email: z.string() }),
});

export const signInBody = z.strictObject({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(1000),
  /** False: the session ends with the browser. */
  rememberMe: z.boolean().optional(),
});
/** The field names are those of better-auth. */
export const changePasswordBody = z.strictObject({
  currentPassword: z.string().min(1).max(1000),
  newPassword,
  revokeOtherSessions: z.boolean().optional(),
});
export const updateUserBody = z.strictObject({ name: personName });

/** The token of a link, sent in the body so that it is in no URL and in no access log. */
export const tokenBody = z.strictObject({ token: linkToken });

export const wireClaimCheck = z.strictObject({ valid: z.boolean() });
export const claimBody = z.strictObject({
  token: linkToken,
  name: personName,
  email: emailAddress,
  password: newPassword,
});

export const wireInvitedTo = z.strictObject({
  account_name: z.string(),
  email: z.string(),
  role: wireRole,
});
/**
 * With `name` and `password` a new user is created, or an existing one with that password signs in; without them the
 * signed-in user joins.
 */
export const acceptInviteBody = z.strictObject({
  token: linkToken,
  name: personName.optional(),
  password: newPassword.optional(),
});

export const wireResetCheck = z.strictObject({ name: z.string(), email: z.string() });
export const resetPasswordBody = z.strictObject({ token: linkToken, password: newPassword });
