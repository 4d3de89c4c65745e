import type { DashboardOperation } from './dashboard-operation.ts';
import { findTracesQuery } from './operations/find-traces-query.ts';
import { wireOperations, wireTrace, wireTraces } from './operations/operations-wire.ts';
import { overviewQuery, wireLimits, wireOverview, wireWiped } from './operations/overview-wire.ts';
import { auditQuery, wireAuditPage } from './people/audit-wire.ts';
import {
  acceptInviteBody,
  changeMemberBody,
  changePasswordBody,
  claimBody,
  createInviteBody,
  resetPasswordBody,
  signInBody,
  tokenBody,
  updateUserBody,
  wireClaimCheck,
  wireInvitedTo,
  wireInvites,
  wireMember,
  wireMembers,
  wireNewInvite,
  wireResetCheck,
  wireUser,
} from './people/people-wire.ts';
import { wireSession, wireSignIns } from './people/session-wire.ts';

const api = '/dashboard/api';
const read = { method: 'GET', limit: 'read' } as const;
const write = { method: 'POST', limit: 'write' } as const;
const change = { method: 'PATCH', limit: 'write' } as const;
const end = { method: 'DELETE', limit: 'write' } as const;

/** What only the dashboard calls. Everything of /v1 is there besides, under /dashboard/api/v1. */
export const dashboardOperations = {
  getSession: { ...read, path: `${api}/session`, access: 'signed_in', answer: wireSession },
  listSignIns: { ...read, path: `${api}/sessions`, access: 'signed_in', answer: wireSignIns },
  endSignIn: { ...end, path: `${api}/sessions/{session_id}`, access: 'signed_in' },
  signIn: { ...write, path: `${api}/auth/sign-in/email`, access: 'anyone', body: signInBody, answer: wireUser },
  signOut: { ...write, path: `${api}/auth/sign-out`, access: 'anyone' },
  changePassword: { ...write, path: `${api}/auth/change-password`, access: 'signed_in', body: changePasswordBody },
  endOtherSignIns: { ...write, path: `${api}/auth/revoke-other-sessions`, access: 'signed_in' },
  updateUser: { ...write, path: `${api}/auth/update-user`, access: 'signed_in', body: updateUserBody },
  checkClaim: { ...write, path: `${api}/claim/check`, access: 'anyone', body: tokenBody, answer: wireClaimCheck },
  claim: { ...write, path: `${api}/claim`, access: 'anyone', body: claimBody, status: 201, answer: wireUser },
  readInvite: { ...write, path: `${api}/invite/check`, access: 'anyone', body: tokenBody, answer: wireInvitedTo },
  acceptInvite: {
    ...write,
    path: `${api}/invite`,
    access: 'anyone',
    body: acceptInviteBody,
    status: 201,
    answer: wireUser,
  },
  checkPasswordReset: {
    ...write,
    path: `${api}/reset/check`,
    access: 'anyone',
    body: tokenBody,
    answer: wireResetCheck,
  },
  resetPassword: { ...write, path: `${api}/reset`, access: 'anyone', body: resetPasswordBody, answer: wireUser },
  listMembers: { ...read, path: `${api}/members`, access: 'viewer', answer: wireMembers },
  changeMember: {
    ...change,
    path: `${api}/members/{member_id}`,
    access: 'owner',
    body: changeMemberBody,
    answer: wireMember,
  },
  removeMember: { ...end, path: `${api}/members/{member_id}`, access: 'owner' },
  listInvites: { ...read, path: `${api}/invites`, access: 'owner', answer: wireInvites },
  createInvite: {
    ...write,
    path: `${api}/invites`,
    access: 'owner',
    body: createInviteBody,
    status: 201,
    answer: wireNewInvite,
  },
  withdrawInvite: { ...end, path: `${api}/invites/{invite_id}`, access: 'owner' },
  listAudit: { ...read, path: `${api}/audit`, access: 'owner', query: auditQuery, answer: wireAuditPage },
  getLimits: { ...read, path: `${api}/limits`, access: 'viewer', answer: wireLimits },
  getOverview: { ...read, path: `${api}/overview`, access: 'viewer', query: overviewQuery, answer: wireOverview },
  wipeDemo: { ...write, path: `${api}/wipe-demo`, access: 'owner', answer: wireWiped },
  getOperations: { ...read, path: `${api}/operations`, access: 'operator', answer: wireOperations },
  findTraces: { ...read, path: `${api}/traces`, access: 'operator', query: findTracesQuery, answer: wireTraces },
  getTrace: { ...read, path: `${api}/traces/{trace_id}`, access: 'operator', answer: wireTrace },
} as const satisfies Readonly<Record<string, Omit<DashboardOperation, 'id'>>>;

export type DashboardOperationId = keyof typeof dashboardOperations;

/** All of them, each with its name. */
export const allDashboardOperations: readonly DashboardOperation[] = Object.entries(dashboardOperations).map(
  ([id, operation]) => ({
    id,
    ...operation,
  }),
);
