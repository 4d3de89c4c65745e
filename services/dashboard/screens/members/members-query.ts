import { queryOptions } from '@tanstack/react-query';
import type { WireInvite, WireMember } from '#shared/contract/people/people-wire.ts';
import { ask } from '../../api/request.ts';

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: async () => (await ask<{ data: WireMember[] }>('GET', '/members')).data,
});

export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: async () => (await ask<{ data: WireInvite[] }>('GET', '/invites')).data,
});
