import { toWireSession, toWireSignIns } from '#shared/contract/members/session-wire.ts';
import { seedDemoAlert } from '#shared/core/alerts/seed-demo-alert.ts';
import { auditOwnAction } from '#shared/core/members/audit-user.ts';
import { checkClaim, claimInstallation } from '#shared/core/members/claim-installation.ts';
import { acceptInvite, joinByInvite, readInvite } from '#shared/core/members/invites.ts';
import { isOperator } from '#shared/core/members/member-caller.ts';
import { listMemberships } from '#shared/core/members/members.ts';
import { checkPasswordReset, resetPassword } from '#shared/core/members/reset-password.ts';
import { endOtherSessions, endSession, listSessions } from '#shared/core/members/sessions.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { countTry } from '../plugins/failed-tries.ts';
import type { Routes } from '../plugins/serve.ts';
import { authRequestOf } from '../plugins/session.ts';
import { addCookies, clientOf, ignoreEndedSession, openSession, tryLink, trySignIn } from './open-session.ts';

export const sessionRoutes = {
  async getSession({ ctx, person: { user } }) {
    const memberships = await listMemberships(ctx.core, user.id);
    const { version, simulated } = ctx.settings;
    const { publicBaseUrl } = ctx.core.settings;
    const installation = { version, simulated, publicBaseUrl, oauth: ctx.oauth !== null };
    return toWireSession({ user, memberships, isOperator: isOperator(memberships), installation });
  },

  async listSignIns({ ctx, person: { user, sessionId } }) {
    return toWireSignIns(await listSessions(ctx.core, user.id), sessionId);
  },

  async endSignIn({ ctx, person, params, request }) {
    await endSession(ctx.core, person.user, { id: params.sessionId, client: clientOf(request) });
    return undefined;
  },

  async signIn(call) {
    return shown(await trySignIn(call, call.body));
  },

  /** Succeeds without a session too. */
  async signOut({ ctx, request, reply }) {
    const asked = authRequestOf(request);
    // better-auth reports success even if the database is unavailable, and the session would live on.
    const person = await ctx.auth.readSession(asked);
    if (person !== null)
      await endSession(ctx.core, person.user, { id: person.sessionId, client: clientOf(request) }).catch(
        ignoreEndedSession,
      );
    const { setCookies } = await ctx.auth.post('/sign-out', asked, {});
    addCookies(reply, setCookies);
    return undefined;
  },

  /** With `revokeOtherSessions` the other sessions end, and this one gets a new cookie. */
  async changePassword({ ctx, body, person: { user }, request, reply }) {
    const trier = { request, reply, user: `signed-in:${user.id}`, browser: null };
    const { setCookies } = await countTry(ctx, trier, async () => {
      await ctx.auth.refuseGuessable(body.newPassword, [user.name, user.email]);
      const result = await ctx.auth.post('/change-password', authRequestOf(request), body);
      return { result, failed: false };
    });
    await auditOwnAction(ctx.core, user, { action: 'password.changed', client: clientOf(request) });
    addCookies(reply, setCookies);
    return undefined;
  },

  async endOtherSignIns({ ctx, person: { user, sessionId }, request }) {
    await endOtherSessions(ctx.core, user, { keptId: sessionId, client: clientOf(request) });
    return undefined;
  },

  async updateUser({ ctx, body, request }) {
    await ctx.auth.post('/update-user', authRequestOf(request), body);
    return undefined;
  },

  async checkClaim({ ctx, body, request, reply }) {
    return countTry(ctx, { request, reply, user: null, browser: null }, async () => {
      const valid = await checkClaim(ctx.core, body.token);
      return { result: { valid }, failed: !valid };
    });
  },

  /** Creates the first user, the owner of the first account, and signs in. */
  async claim(call) {
    const { ctx, request } = call;
    const { token, name, email, password } = call.body;
    const hashPassword = (words: readonly string[]) => ctx.auth.hashPassword(password, words);
    return tryLink(call, async () => {
      const user = await claimInstallation(ctx.core, { token, name, email, requestId: request.id, hashPassword });
      if (ctx.settings.simulated)
        await seedDemoAlert(ctx.core, { userId: user.id, requestId: request.id }).catch((error: unknown) =>
          ctx.logger.warn({ err: error }, 'demo alert not created'),
        );
      return shown(await openSession(call, { email, password }));
    });
  },

  async readInvite(call) {
    const { accountName, email, role } = await tryLink(call, () => readInvite(call.ctx.core, call.body.token));
    return { account_name: accountName, email, role };
  },

  /**
   * With a name and a password: creates the invited user and signs in. Without: the signed-in user joins. A user who
   * exists already joins with their own password, so that a link alone does not reveal who exists.
   */
  async acceptInvite(call) {
    const { ctx, request } = call;
    const { token, name, password } = call.body;
    if (name === undefined && password === undefined) {
      const person = await ctx.auth.readSession(authRequestOf(request));
      if (person === null)
        throw new LandfallError('not_signed_in', 'Sign in first, or send a name and a password to create a user.');
      await tryLink(call, () => joinByInvite(ctx.core, person.user, { token, requestId: request.id }));
      return shown(person.user);
    }
    if (name === undefined || password === undefined) throw missing(name === undefined ? 'name' : 'password');
    const hashPassword = (words: readonly string[]) => ctx.auth.hashPassword(password, words);
    const { email, isNew } = await tryLink(call, () =>
      acceptInvite(ctx.core, { token, name, requestId: request.id, hashPassword }),
    );
    if (isNew) return shown(await openSession(call, { email, password }));
    const user = await trySignIn(call, { email, password });
    await joinByInvite(ctx.core, user, { token, requestId: request.id });
    return shown(user);
  },

  async checkPasswordReset(call) {
    const { name, email } = await tryLink(call, () => checkPasswordReset(call.ctx.core, call.body.token));
    return { name, email };
  },

  /** Sets the new password, ends the user's sessions and signs in. */
  async resetPassword(call) {
    const { ctx, request } = call;
    const { token, password } = call.body;
    const hashPassword = (words: readonly string[]) => ctx.auth.hashPassword(password, words);
    return tryLink(call, async () => {
      const { email } = await resetPassword(ctx.core, { token, requestId: request.id, hashPassword });
      return shown(await openSession(call, { email, password }));
    });
  },
} satisfies Partial<Routes>;

function shown({ id, name, email }: { id: string; name: string; email: string }) {
  return { user: { id: encodeTypeId('user', id), name, email } };
}

function missing(field: string): LandfallError {
  const detail = `${field} is required.`;
  return new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: `/${field}`, code: 'required', detail }],
  });
}
