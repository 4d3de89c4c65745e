import { type Scope, scopes } from '../caller.ts';

/** What a person is in an account. */
export const roles = ['owner', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** What a person may do there, in the words of keys. */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  member: ['shipments:read', 'shipments:write'],
  viewer: ['shipments:read'],
};

/** The account whose owners run the installation. */
export const operatorsAccount = 'default';

export const passwordLength = { least: 10, most: 128 };

/** How long an invitation can be accepted, in days. */
export const inviteDays = 7;

/** How long a link for a new password works. */
export const passwordResetHours = 24;

/** True when `role` may do what `least` may. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(least);
}
