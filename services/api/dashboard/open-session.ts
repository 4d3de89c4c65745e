import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuditedClient, auditOwnAction, auditRefusedSignIn } from '#shared/core/members/audit-user.ts';
import { endSession, forgetEndedSessions } from '#shared/core/members/sessions.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import { readCookie } from '../http/read-cookie.ts';
import { countTry } from '../plugins/failed-tries.ts';
import { authRequestOf } from '../plugins/session.ts';

export type Exchange = { ctx: ApiContext; request: FastifyRequest; reply: FastifyReply };
export type Credentials = { email: string; password: string; rememberMe?: boolean | undefined };
type User = { id: string; name: string; email: string };

/** Marks a browser in which a user has signed in. Like the session's cookie, it is for this host and https alone. */
const browserCookie = '__Host-landfall.browser';
const browserCookieAgeS = 400 * 24 * 3600;
/** Wrong passwords of a user that are written to the audit log in a minute. The log of requests has them all. */
const auditedFailures = 5;

/**
 * Sets the cookies of a new session and ends the one that the browser had. Writes to the audit log. Throws LandfallError
 * `wrong_password`.
 */
export async function openSession({ ctx, request, reply }: Exchange, credentials: Credentials): Promise<User> {
  const asked = { ...authRequestOf(request), cookie: '' };
  const { body, setCookies } = await ctx.auth.post('/sign-in/email', asked, credentials);
  const { id, name, email } = (body as { user: User }).user;
  await auditOwnAction(ctx.core, { id, email }, { action: 'session.started', client: clientOf(request) });
  const former = await ctx.auth.readSession(authRequestOf(request));
  if (former !== null)
    await endSession(ctx.core, former.user, { id: former.sessionId, client: clientOf(request) }).catch(
      ignoreEndedSession,
    );
  addCookies(reply, setCookies);
  const marks = await ctx.auth.browserMarks();
  const held = readCookie(request, browserCookie) ?? '';
  const mark = (await marks.read(held, email)) === null ? await marks.issue(email) : held;
  const flags = `Path=/; Max-Age=${browserCookieAgeS}; HttpOnly; Secure; SameSite=Lax`;
  addCookies(reply, [`${browserCookie}=${mark}; ${flags}`]);
  await forgetEndedSessions(ctx.core, id).catch((error: unknown) =>
    ctx.logger.warn({ err: error }, 'removal of ended sessions failed'),
  );
  return { id, name, email };
}

/** `openSession` as a try of this user, counted against the browser, or the user and the address. */
export async function trySignIn(exchange: Exchange, credentials: Credentials): Promise<User> {
  const { ctx, request, reply } = exchange;
  const { email } = credentials;
  const mark = readCookie(request, browserCookie);
  const browser = mark === null ? null : await (await ctx.auth.browserMarks()).read(mark, email);
  const user = createHash('sha256').update(email.trim().toLowerCase()).digest('base64url').slice(0, 22);
  return countTry(ctx, { request, reply, user, browser }, async () => {
    try {
      return { result: await openSession(exchange, credentials), failed: false };
    } catch (error) {
      if (error instanceof LandfallError && error.code === 'wrong_password') noteRefusal(exchange, { email, user });
      throw error;
    }
  });
}

/** Runs what a link opens. Links that don't work count against the address. */
export function tryLink<Result>({ ctx, request, reply }: Exchange, run: () => Promise<Result>): Promise<Result> {
  const trier = { request, reply, user: null, browser: null };
  return countTry(ctx, trier, async () => ({ result: await run(), failed: false }));
}

export function clientOf(request: FastifyRequest): AuditedClient {
  return { requestId: request.id, address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}

export function addCookies(reply: FastifyReply, cookies: readonly string[]): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}

/** Of two sign-outs at the same time, one ends the session. */
export function ignoreEndedSession(error: unknown): void {
  if (!(error instanceof LandfallError && error.code === 'session_not_found')) throw error;
}

/** Not awaited: otherwise the time that an answer takes would reveal whether the user exists. */
function noteRefusal({ ctx, request }: Exchange, { email, user }: { email: string; user: string }): void {
  const client = clientOf(request);
  ctx.logger.info(
    { request_id: client.requestId, address: client.address },
    'sign-in refused: wrong email or password',
  );
  const note = async (): Promise<void> => {
    const { admitted } = await ctx.limiter.admit(`audit-refused:${user}`, auditedFailures);
    if (admitted) await auditRefusedSignIn(ctx.core, email, client);
  };
  note().catch((error: unknown) => ctx.logger.warn({ err: error }, 'refused sign-in not recorded in the audit log'));
}
