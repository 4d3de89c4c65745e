import { queryOptions } from '@tanstack/react-query';
import { type Role, roles } from '#shared/domain/people/role.ts';
import { call } from '../../../api/call.ts';

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: async () => (await call('listMembers')).data,
});

export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: async () => (await call('listInvites')).data,
});

/** What each role may, the one who may most first. */
export const roleWords: Record<Role, string> = {
  owner: 'Everything: shipments, keys, carrier access, members.',
  member: 'Sees shipments, registers and changes them.',
  viewer: 'Sees shipments and changes nothing.',
};

export const roleChoices: readonly Role[] = roles;

/** Why this member must stay an owner; null: they need not. */
export function whyMustStay(members: readonly { id: string; role: Role }[], id: string): string | null {
  const owners = members.filter(({ role }) => role === 'owner');
  return owners.length === 1 && owners[0]?.id === id ? 'The last owner: make somebody else an owner first.' : null;
}
