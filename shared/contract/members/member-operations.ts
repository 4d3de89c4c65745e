import { z } from 'zod';
import { parseId } from '../input/parse-id.ts';
import type { Operations, RawParams } from '../operation.ts';
import { auditQuery, parseAuditQuery, wireAuditPage } from './audit-wire.ts';
import {
  changeMemberBody,
  createInviteBody,
  removeMemberQuery,
  renameAccountBody,
  wireAccountName,
  wireInvites,
  wireMember,
  wireMemberKeys,
  wireMembers,
  wireNewInvite,
} from './people-wire.ts';

const missingMember = {
  prefix: 'user',
  code: 'member_not_found',
  detail: 'Member not found.',
} as const;
const missingInvite = {
  prefix: 'inv',
  code: 'invite_not_found',
  detail: 'Invitation not found.',
} as const;

const memberPath = {
  access: 'session',
  path: '/dashboard/api/members/{member_id}',
  role: 'owner',
  limit: 'write',
  params: z.object({ member_id: z.string() }),
  parseParams: (params: RawParams) => ({ userId: parseId(params, 'member_id', missingMember) }),
} as const;

/** The name of an account, its people, the invitations to it, and its audit log. */
export const memberOperations = {
  renameAccount: {
    access: 'session',
    method: 'PATCH',
    path: '/dashboard/api/account',
    role: 'owner',
    limit: 'write',
    body: { schema: renameAccountBody },
    answers: { 200: { schema: wireAccountName } },
  },
  listMembers: {
    access: 'session',
    method: 'GET',
    path: '/dashboard/api/members',
    role: 'viewer',
    limit: 'read',
    answers: { 200: { schema: wireMembers } },
  },
  changeMember: {
    ...memberPath,
    method: 'PATCH',
    body: { schema: changeMemberBody },
    answers: { 200: { schema: wireMember } },
  },
  removeMember: { ...memberPath, method: 'DELETE', query: removeMemberQuery, answers: { 204: {} } },
  listMemberKeys: {
    ...memberPath,
    method: 'GET',
    path: '/dashboard/api/members/{member_id}/keys',
    limit: 'read',
    answers: { 200: { schema: wireMemberKeys } },
  },
  listInvites: {
    access: 'session',
    method: 'GET',
    path: '/dashboard/api/invites',
    role: 'owner',
    limit: 'read',
    answers: { 200: { schema: wireInvites } },
  },
  createInvite: {
    access: 'session',
    method: 'POST',
    path: '/dashboard/api/invites',
    role: 'owner',
    limit: 'write',
    body: { schema: createInviteBody },
    answers: { 201: { schema: wireNewInvite } },
  },
  withdrawInvite: {
    access: 'session',
    method: 'DELETE',
    path: '/dashboard/api/invites/{invite_id}',
    role: 'owner',
    limit: 'write',
    params: z.object({ invite_id: z.string() }),
    parseParams: (params: RawParams) => ({ inviteId: parseId(params, 'invite_id', missingInvite) }),
    answers: { 204: {} },
  },
  listAudit: {
    access: 'session',
    method: 'GET',
    path: '/dashboard/api/audit',
    role: 'owner',
    limit: 'read',
    query: auditQuery,
    parseQuery: parseAuditQuery,
    answers: { 200: { schema: wireAuditPage } },
  },
} as const satisfies Operations;
