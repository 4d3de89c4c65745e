import { queryOptions } from '@tanstack/react-query';
import type { Role } from '#shared/domain/members/role.ts';
import { call } from '../../../api/call.ts';

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: async () => (await call('listMembers')).data,
});

/** Invitations that nobody has accepted yet. */
export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: async () => (await call('listInvites')).data,
});

/** One sentence on the permissions of each role. */
export const roleTexts: Record<Role, string> = {
  owner: 'Full access: shipments, API keys, carrier access, members.',
  member: 'Can view, register and change shipments.',
  viewer: 'Can view shipments.',
};

/** Returns the reason why this member can neither be removed nor change roles, or null when both are allowed. */
export function lockedReason(members: readonly { id: string; role: Role }[], id: string): string | null {
  const owners = members.filter(({ role }) => role === 'owner');
  return owners.length === 1 && owners[0]?.id === id ? 'Last owner. Make another member an owner first.' : null;
}
