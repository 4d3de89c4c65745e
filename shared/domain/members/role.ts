import { type Scope, scopes } from '../caller.ts';

/** The role of a user in an account. */
export const roles = ['owner', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The permissions of each role, as scopes of keys. */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  member: ['shipments:read', 'shipments:write', 'events:write', 'shares:write'],
  viewer: ['shipments:read'],
};

/** The account whose owners run the installation. */
export const operatorsAccount = 'default';

export const passwordLength = { least: 10, most: 128 };

/** When a session ends, in days: without use, and in any case. */
export const sessionDays = { unused: 7, most: 30 };

/** Days for which an invitation is valid. */
export const inviteDays = 7;

/** Hours for which a password reset link is valid. */
export const passwordResetHours = 24;

/** True when `role` has at least the permissions of `least`. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(least);
}
