import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorCatalogue } from '#shared/contract/error-catalogue.ts';
import { type Authentication, authenticateKey, knownKey } from '#shared/core/keys/authenticate-key.ts';
import { oauthMcpPath } from '#shared/domain/apps/app.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { parseApiKey } from '#shared/domain/keys/api-key.ts';
import { keepTrace } from '#shared/telemetry/events.ts';
import type { ApiContext } from '../context.ts';
import { countFailedKey, showFailedKeyLimit } from './failed-tries.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

const bearerPattern = /^Bearer +(\S+) *$/i;
const keyedAddress = /^\/v1(?:[/?#;]|$)/;

/** Every request under /v1 needs a key, even for unknown paths, before anything else about it is checked. */
export function registerAuthentication(app: FastifyInstance, ctx: ApiContext): void {
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, reply, done) => {
    if (admitKnownKey(ctx, request)) return done();
    authenticateRequest(ctx, request, reply).then(() => done(), done);
  });
}

/** The key must have the scope of the operation, and be a test or live key if the operation requires one. */
export function registerScopeCheck(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const operation = request.routeOptions.config?.operation;
    if (request.caller === null || operation === undefined || operation.access === 'session') return done();
    const { scope, testKeysOnly, liveKeysOnly } = operation;
    if (scope !== null && !request.caller.scopes.includes(scope)) {
      throw new LandfallError('insufficient_scope', `This endpoint requires a key with the scope ${scope}.`);
    }
    if (testKeysOnly === true && !request.caller.test)
      throw new LandfallError('live_key_not_allowed', 'This endpoint requires a test key.');
    if (liveKeysOnly === true && request.caller.test) {
      throw new LandfallError(
        'test_key_not_allowed',
        'This endpoint requires a live key. Test shipments never reach a carrier.',
      );
    }
    done();
  });
}

/**
 * Sets the caller and limits of a request under /v1. Throws LandfallError if the key is missing or invalid, and
 * `rate_limited` if it is one of too many invalid ones.
 */
export async function authenticateRequest(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!needsKey(request)) return;
  try {
    const key = await authenticateKey(ctx.core, presentedKey(request.headers.authorization));
    if (!opensRoute(key, request))
      throw new LandfallError('invalid_api_key', `The access token of a connected app opens ${oauthMcpPath} alone.`);
    admit(request, key);
  } catch (error) {
    showFailedKeyLimit(ctx, request, reply);
    const presented = bearerPattern.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (isFailedSignIn(error)) await countFailedKey(ctx, request, { presented, reply });
    throw error;
  }
}

/** True if the request needs no key, or has a cached one. Such a request costs no promise. */
function admitKnownKey(ctx: ApiContext, request: FastifyRequest): boolean {
  if (!needsKey(request)) return true;
  const presented = bearerPattern.exec(request.headers.authorization ?? '')?.[1];
  const key = presented === undefined ? null : knownKey(ctx.core, presented);
  if (key === null || !opensRoute(key, request)) return false;
  admit(request, key);
  return true;
}

/** The token of a connected app opens one route; a key opens any. */
function opensRoute({ isAppToken }: Authentication, request: FastifyRequest): boolean {
  return !isAppToken || request.routeOptions.url === oauthMcpPath;
}

function admit(request: FastifyRequest, { accountId, keyId, scopes, test, limits }: Authentication): void {
  request.caller = { accountId, keyId, scopes, test, requestId: request.id, idempotency: null };
  request.limits = limits;
  if (test) keepTrace('test');
}

/** Requests without a key don't count: load-balancer probes must not lock out clients that share their address. */
function isFailedSignIn(error: unknown): boolean {
  return (
    error instanceof LandfallError && errorCatalogue[error.code].status === 401 && error.code !== 'missing_api_key'
  );
}

/** The caller of a request that needs one. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null)
    throw new LandfallError('missing_api_key', 'Send your API key as Authorization: Bearer svc_live_….');
  return request.caller;
}

/** By the matched route as well as by the path: the router decodes `/%761/shipments` before it matches. */
function needsKey(request: FastifyRequest): boolean {
  return keyedAddress.test(request.url) || keyedAddress.test(request.routeOptions.url ?? '');
}

function presentedKey(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === '') {
    throw new LandfallError(
      'missing_api_key',
      'Send your API key as Authorization: Bearer svc_live_…. Keys in the URL are ignored.',
    );
  }
  const presented = bearerPattern.exec(authorization)?.[1];
  if (presented === undefined)
    throw new LandfallError('invalid_api_key', 'The Authorization header must be Bearer, a space and the API key.');
  if (parseApiKey(presented) === null) throw new LandfallError('invalid_api_key', 'Malformed API key.');
  return presented;
}
