import type { FastifyReply, FastifyRequest } from 'fastify';
import { toWireSession, toWireSignIns } from '#shared/contract/people/session-wire.ts';
import { checkClaim, claimInstallation } from '#shared/core/people/claim-installation.ts';
import { acceptInvite, joinByInvite, readInvite } from '#shared/core/people/invites.ts';
import { isOperator } from '#shared/core/people/member-caller.ts';
import { listMemberships } from '#shared/core/people/members.ts';
import { checkPasswordReset, resetPassword } from '#shared/core/people/reset-password.ts';
import { endOtherSessions, endSession, forgetEndedSessions, listSessions } from '#shared/core/people/sessions.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { ApiContext } from '../context.ts';
import { countPasswordTry } from '../plugins/rate-limit.ts';
import type { Routes } from '../plugins/serve.ts';
import { authRequestOf } from '../plugins/session.ts';

export const sessionRoutes = {
  async getSession({ ctx, person: { user } }) {
    const memberships = await listMemberships(ctx.core, user.id);
    const { version, simulated } = ctx.settings;
    const installation = { version, simulated, publicBaseUrl: ctx.core.settings.publicBaseUrl };
    return toWireSession({ user, memberships, isOperator: isOperator(memberships), installation });
  },

  async listSignIns({ ctx, person: { user, sessionId } }) {
    return toWireSignIns(await listSessions(ctx.core, user.id), sessionId);
  },

  async endSignIn({ ctx, person, params }) {
    await endSession(ctx.core, person.user.id, params.sessionId);
    return undefined;
  },

  async signIn(call) {
    await countPasswordTry(call.ctx, call.request, call.reply);
    return signIn(call, call.body);
  },

  /** Succeeds without a session too. */
  async signOut({ ctx, request, reply }) {
    const asked = authRequestOf(request);
    // better-auth reports success even if the database is unavailable, and the session would live on.
    const person = await ctx.auth.readSession(asked);
    if (person !== null) await endSession(ctx.core, person.user.id, person.sessionId).catch(ignoreEndedSession);
    const { setCookies } = await ctx.auth.post('/sign-out', asked, {});
    addCookies(reply, setCookies);
    return undefined;
  },

  /** With `revokeOtherSessions` the other sessions end, and this one gets a new cookie. */
  async changePassword({ ctx, body, request, reply }) {
    await countPasswordTry(ctx, request, reply);
    const { setCookies } = await ctx.auth.post('/change-password', authRequestOf(request), body);
    addCookies(reply, setCookies);
    return undefined;
  },

  async endOtherSignIns({ ctx, person: { user, sessionId } }) {
    await endOtherSessions(ctx.core, user.id, sessionId);
    return undefined;
  },

  async updateUser({ ctx, body, request }) {
    await ctx.auth.post('/update-user', authRequestOf(request), body);
    return undefined;
  },

  async checkClaim({ ctx, body, request, reply }) {
    await countPasswordTry(ctx, request, reply);
    return { valid: await checkClaim(ctx.core, body.token) };
  },

  /** Creates the first user, the owner of the first account, and signs in. */
  async claim(call) {
    const { ctx, request, reply } = call;
    await countPasswordTry(ctx, request, reply);
    const { token, name, email, password } = call.body;
    const hashPassword = () => ctx.auth.hashPassword(password);
    await claimInstallation(ctx.core, { token, name, email, requestId: request.id, hashPassword });
    return signIn(call, { email, password });
  },

  async readInvite({ ctx, body, request, reply }) {
    await countPasswordTry(ctx, request, reply);
    const { accountName, email, role, known } = await readInvite(ctx.core, body.token);
    return { account_name: accountName, email, role, known };
  },

  /** With a name and a password: creates the invited user and signs in. Without: the signed-in user joins. */
  async acceptInvite(call) {
    const { ctx, request, reply } = call;
    await countPasswordTry(ctx, request, reply);
    const { token, name, password } = call.body;
    if (name === undefined && password === undefined) {
      const person = await ctx.auth.readSession(authRequestOf(request));
      if (person === null)
        throw new LandfallError('not_signed_in', 'Sign in first, or send a name and a password to create a user.');
      const { id, ...user } = person.user;
      await joinByInvite(ctx.core, person.user, { token, requestId: request.id });
      return { user: { id: encodeTypeId('user', id), ...user } };
    }
    if (name === undefined || password === undefined) throw missing(name === undefined ? 'name' : 'password');
    const hashPassword = () => ctx.auth.hashPassword(password);
    const { email } = await acceptInvite(ctx.core, { token, name, requestId: request.id, hashPassword });
    return signIn(call, { email, password });
  },

  async checkPasswordReset({ ctx, body, request, reply }) {
    await countPasswordTry(ctx, request, reply);
    const { name, email } = await checkPasswordReset(ctx.core, body.token);
    return { name, email };
  },

  /** Sets the new password, ends the user's sessions and signs in. */
  async resetPassword(call) {
    const { ctx, request, reply } = call;
    await countPasswordTry(ctx, request, reply);
    const { token, password } = call.body;
    const hashPassword = () => ctx.auth.hashPassword(password);
    const { email } = await resetPassword(ctx.core, { token, requestId: request.id, hashPassword });
    return signIn(call, { email, password });
  },
} satisfies Partial<Routes>;

type Credentials = { email: string; password: string; rememberMe?: boolean | undefined };

/** Sets the cookie of a new session and returns the user. Throws LandfallError `wrong_password`. */
async function signIn(
  { ctx, request, reply }: { ctx: ApiContext; request: FastifyRequest; reply: FastifyReply },
  credentials: Credentials,
) {
  const asked = { ...authRequestOf(request), cookie: '' };
  const { body, setCookies } = await ctx.auth.post('/sign-in/email', asked, credentials);
  addCookies(reply, setCookies);
  const { id, name, email } = (body as { user: { id: string; name: string; email: string } }).user;
  await forgetEndedSessions(ctx.core, id).catch((error: unknown) =>
    ctx.logger.warn({ err: error }, 'removal of ended sessions failed'),
  );
  return { user: { id: encodeTypeId('user', id), name, email } };
}

function addCookies(reply: FastifyReply, cookies: readonly string[]): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}

/** Of two sign-outs at the same time, one ends the session. */
function ignoreEndedSession(error: unknown): void {
  if (!(error instanceof LandfallError && error.code === 'session_not_found')) throw error;
}

function missing(field: string): LandfallError {
  const detail = `${field} is required.`;
  return new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: `/${field}`, code: 'required', detail }],
  });
}
