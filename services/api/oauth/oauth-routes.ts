import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { auditNewClient, hasRoomForClient } from '#shared/core/apps/clients.ts';
import { issueAppToken, type PresentedGrant } from '#shared/core/apps/issue-app-token.ts';
import { revokeAppToken } from '#shared/core/apps/revoke-app-token.ts';
import { metadataPaths, oauthPaths } from '#shared/domain/apps/app.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { signInNetwork } from '#shared/domain/keys/limits.ts';
import type { Oauth, OauthAnswer } from '../auth/open-oauth.ts';
import type { ApiContext } from '../context.ts';
import { resourceMetadata } from '../plugins/resource-metadata.ts';
import { authRequestOf } from '../plugins/session.ts';
import { readRegistration } from './read-registration.ts';

/** Requests per minute from one address. Many people may share one, such as that of a hosted assistant. */
const limits = { authorize: 120, documents: 30, token: 600, register: 20, revoke: 120 } as const;
/** Registrations per minute from all addresses. */
const maxRegistrations = 120;

const maxFormBytes = 16_384;
const maxRegistrationBytes = 16_384;
const metadataAge = 'public, max-age=300';

/** Serves the authorization server and its metadata, if `MCP_OAUTH` is on. None of it takes a key. */
export function registerOauth(app: FastifyInstance, ctx: ApiContext): void {
  const { oauth } = ctx;
  if (oauth === null) return;
  const config = { anyAccept: true };
  app.get(metadataPaths.resource, { config }, (_request, reply) =>
    reply.header('cache-control', metadataAge).send(resourceMetadata(oauth.issuer)),
  );
  app.get(metadataPaths.server, { config }, async (_request, reply) =>
    reply.header('cache-control', metadataAge).send(await oauth.metadata()),
  );
  app.get(oauthPaths.authorize, { config }, async (request, reply) => {
    await limit(ctx, request, 'authorize');
    const query = queryOf(request);
    // Before a sign-in. The library limits what is fetched of a host and in all; one address gets a part of it.
    if (namesDocument(query)) await limit(ctx, request, 'documents');
    const location = await oauth.authorize(query, authRequestOf(request));
    return reply.status(302).headers(redirectHeaders).header('location', location).send();
  });
  app.post(oauthPaths.register, { config, bodyLimit: maxRegistrationBytes }, async (request, reply) => {
    await limit(ctx, request, 'register');
    return sendAnswer(reply, await register(ctx, oauth, request));
  });
  // Forms are read here alone: no other route accepts one.
  app.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, new URLSearchParams(text as string)),
    );
    forms.post(oauthPaths.token, { config, bodyLimit: maxFormBytes }, async (request, reply) => {
      await limit(ctx, request, 'token');
      return sendAnswer(reply, await exchange(ctx, oauth, request));
    });
    forms.post(oauthPaths.revoke, { config, bodyLimit: maxFormBytes }, async (request, reply) => {
      await limit(ctx, request, 'revoke');
      return sendAnswer(reply, await revoke(ctx, oauth, request));
    });
  });
}

async function register(ctx: ApiContext, oauth: Oauth, request: FastifyRequest): Promise<OauthAnswer> {
  const read = readRegistration(request.body);
  if ('error' in read) return { status: 400, body: read };
  const all = await ctx.limiter.admit('oauth-register', maxRegistrations);
  if (!all.admitted || !(await hasRoomForClient(ctx.core)))
    throw new LandfallError('rate_limited', 'Too many clients register. Retry later.', {
      retryAfterS: all.admitted ? 3600 : all.resetS,
    });
  const answer = await oauth.register(read);
  const { client_id: clientId } = answer.body ?? {};
  if (answer.status === 201 && typeof clientId === 'string') {
    const client = { clientId, name: read.client_name ?? null, redirectUris: read.redirect_uris, found: false };
    await auditNewClient(ctx.core, client, request.id);
  }
  return answer;
}

async function exchange(ctx: ApiContext, oauth: Oauth, request: FastifyRequest): Promise<OauthAnswer> {
  const form = formOf(request);
  const presented = presentedOf(form);
  const asked = { presented, clientId: form.get('client_id') ?? '', requestId: request.id };
  const { issued, expiresAt } = await issueAppToken(ctx.core, asked, async (tx, accessToken) => {
    const answer = await oauth.token(form, { authorization: basicOf(request), tx, accessToken });
    return { ...answer, token: tokenOf(answer) };
  });
  const { status, body } = issued;
  return { status, body: body === null || expiresAt === null ? body : endingAt(body, expiresAt) };
}

async function revoke(ctx: ApiContext, oauth: Oauth, request: FastifyRequest): Promise<OauthAnswer> {
  const form = formOf(request);
  const asked = { token: form.get('token') ?? '', clientId: form.get('client_id') ?? '', requestId: request.id };
  return revokeAppToken(ctx.core, asked, (tx) => oauth.revoke(form, { authorization: basicOf(request), tx }));
}

function presentedOf(form: URLSearchParams): PresentedGrant {
  const grantType = form.get('grant_type');
  const kind = grantType === 'authorization_code' ? 'code' : grantType === 'refresh_token' ? 'refresh_token' : null;
  const secret = kind === null ? null : form.get(kind);
  return kind === null || secret === null ? null : { kind, secret };
}

function tokenOf({ status, body }: OauthAnswer): { accessToken: string; scope: string } | null {
  const { access_token: accessToken, scope } = body ?? {};
  if (status !== 200 || typeof accessToken !== 'string') return null;
  return { accessToken, scope: typeof scope === 'string' ? scope : '' };
}

/** A token that ends with its key lives shorter than the library says. */
function endingAt(body: Record<string, unknown>, expiresAt: string): Record<string, unknown> {
  const { expires_at: _, expires_in: lifetimeS, ...rest } = body;
  const leftS = Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1000));
  return { ...rest, expires_in: typeof lifetimeS === 'number' ? Math.min(lifetimeS, leftS) : leftS };
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(request.url.split('?').slice(1).join('?'));
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  if (body instanceof URLSearchParams) return body;
  throw new LandfallError(
    'unsupported_media_type',
    'Send the body with Content-Type: application/x-www-form-urlencoded.',
  );
}

function basicOf({ headers }: FastifyRequest): string | null {
  return headers.authorization?.toLowerCase().startsWith('basic ') === true ? headers.authorization : null;
}

/** Tokens and refusals are for the client alone (RFC 6749, 5.1). */
function sendAnswer(reply: FastifyReply, { status, body }: OauthAnswer): FastifyReply {
  reply.status(status).headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
  return body === null ? reply.send() : reply.send(body);
}

/** The address of the response has the code, or the request of the page. */
const redirectHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** True when the client may be known by the document at its id. */
function namesDocument(query: URLSearchParams): boolean {
  // A value with a null character counts as missing, so the id may stand behind it.
  return query.getAll('client_id').some((id) => id.startsWith('https://'));
}

async function limit(ctx: ApiContext, request: FastifyRequest, what: keyof typeof limits): Promise<void> {
  const quota = limits[what];
  const { admitted, resetS } = await ctx.limiter.admit(`oauth-${what}:${signInNetwork(request.ip)}`, quota);
  if (admitted) return;
  throw new LandfallError(
    'rate_limited',
    `Too many requests from this IP address (limit ${quota} per minute). Retry in ${resetS} s.`,
    { retryAfterS: resetS },
  );
}
