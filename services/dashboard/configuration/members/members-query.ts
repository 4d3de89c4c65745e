import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../api/request.ts';
import type { Session } from '../../session/use-session.ts';

export type Role = Session['accounts'][number]['role'];
/** `id` is of the user; `you`: who asks. */
export type Member = { id: string; name: string; email: string; role: Role; you: boolean; joined_at: string };
export type Invite = { id: string; email: string; role: Role; invited_by: string; created_at: string; expires_at: string };
/** With what opens it, which is shown this once. */
export type CreatedInvite = Invite & { link: string };

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: async () => (await ask<{ data: Member[] }>('GET', '/members')).data,
});

export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: async () => (await ask<{ data: Invite[] }>('GET', '/invites')).data,
});
