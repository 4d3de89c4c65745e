import { z } from 'zod';
import type { Role } from '#shared/domain/people/role.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { wireRole } from './person-fields.ts';

/** Who is signed in, and where. */
export const wireSession = z.strictObject({
  user: z.strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    /** Runs the installation: sees its operations. */
    is_operator: z.boolean(),
  }),
  /** By name; may be empty. `id` goes into the header `landfall-account`. */
  accounts: z.array(z.strictObject({ id: z.string(), name: z.string(), role: wireRole, tests_allowed: z.boolean() })),
  /** Of Landfall. */
  version: z.string(),
  /** Carriers that are not configured are simulated. */
  simulated: z.boolean(),
  public_base_url: z.string(),
});

export type WireSession = z.infer<typeof wireSession>;

export type ShownSession = {
  user: { id: string; name: string; email: string };
  isOperator: boolean;
  memberships: readonly { accountId: string; name: string; role: Role }[];
  installation: { version: string; simulated: boolean; publicBaseUrl: string };
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
  };
}

/** A place where one is signed in. */
export const wireSignIn = z.strictObject({
  id: z.string(),
  /** The one that asks. */
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
