import { z } from 'zod';
import { parseId } from '../input/parse-id.ts';
import type { Operations, RawParams } from '../operation.ts';
import {
  acceptInviteBody,
  changePasswordBody,
  claimBody,
  resetPasswordBody,
  signInBody,
  tokenBody,
  updateUserBody,
  wireClaimCheck,
  wireInvitedTo,
  wireResetCheck,
  wireSession,
  wireSignIns,
  wireUser,
} from './session-wire.ts';

const missingSession = {
  prefix: 'ses',
  code: 'session_not_found',
  detail: 'Session not found.',
} as const;
const post = { access: 'session', method: 'POST', limit: 'write' } as const;
const get = { access: 'session', method: 'GET', limit: 'read' } as const;

/** Sessions, passwords, and the links that create or recover access. */
export const sessionOperations = {
  getSession: {
    ...get,
    path: '/dashboard/api/session',
    role: 'signed_in',
    answers: { 200: { schema: wireSession } },
  },
  listSignIns: {
    ...get,
    path: '/dashboard/api/sessions',
    role: 'signed_in',
    answers: { 200: { schema: wireSignIns } },
  },
  endSignIn: {
    access: 'session',
    method: 'DELETE',
    path: '/dashboard/api/sessions/{session_id}',
    role: 'signed_in',
    limit: 'write',
    params: z.object({ session_id: z.string() }),
    parseParams: (params: RawParams) => ({ sessionId: parseId(params, 'session_id', missingSession) }),
    answers: { 204: {} },
  },
  signIn: {
    ...post,
    path: '/dashboard/api/auth/sign-in/email',
    role: 'anyone',
    body: { schema: signInBody },
    answers: { 200: { schema: wireUser } },
  },
  signOut: { ...post, path: '/dashboard/api/auth/sign-out', role: 'anyone', answers: { 204: {} } },
  changePassword: {
    ...post,
    path: '/dashboard/api/auth/change-password',
    role: 'signed_in',
    body: { schema: changePasswordBody },
    answers: { 204: {} },
  },
  endOtherSignIns: {
    ...post,
    path: '/dashboard/api/auth/revoke-other-sessions',
    role: 'signed_in',
    answers: { 204: {} },
  },
  updateUser: {
    ...post,
    path: '/dashboard/api/auth/update-user',
    role: 'signed_in',
    body: { schema: updateUserBody },
    answers: { 204: {} },
  },
  checkClaim: {
    ...post,
    path: '/dashboard/api/claim/check',
    role: 'anyone',
    body: { schema: tokenBody },
    answers: { 200: { schema: wireClaimCheck } },
  },
  claim: {
    ...post,
    path: '/dashboard/api/claim',
    role: 'anyone',
    body: { schema: claimBody },
    answers: { 201: { schema: wireUser } },
  },
  readInvite: {
    ...post,
    path: '/dashboard/api/invite/check',
    role: 'anyone',
    body: { schema: tokenBody },
    answers: { 200: { schema: wireInvitedTo } },
  },
  acceptInvite: {
    ...post,
    path: '/dashboard/api/invite',
    role: 'anyone',
    body: { schema: acceptInviteBody },
    answers: { 201: { schema: wireUser } },
  },
  checkPasswordReset: {
    ...post,
    path: '/dashboard/api/reset/check',
    role: 'anyone',
    body: { schema: tokenBody },
    answers: { 200: { schema: wireResetCheck } },
  },
  resetPassword: {
    ...post,
    path: '/dashboard/api/reset',
    role: 'anyone',
    body: { schema: resetPasswordBody },
    answers: { 200: { schema: wireUser } },
  },
} as const satisfies Operations;
