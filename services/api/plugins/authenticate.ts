import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '#shared/contract/operation.ts';
import { authenticateKey } from '#shared/core/authenticate-key.ts';
import { parseApiKey } from '#shared/domain/api-key.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import { statusByCode } from './errors.ts';
import { countFailedSignIn, refuseGuessing, showSignInLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** What the route serves; absent outside /v1. */
    operation?: Operation;
    /** The route answers more than JSON and looks at Accept itself. */
    anyAccept?: boolean;
  }
}

/** Everything under /v1 needs a key, also what is not there, before anything else about the request is looked at. */
export function registerAuthentication(app: FastifyInstance, ctx: ApiContext): void {
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, reply) => authenticateRequest(ctx, request, reply));
}

/** The key must have the scope of the operation, and be a test key where only those may come. */
export function registerScopeCheck(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const operation = request.routeOptions.config?.operation;
    if (request.caller === null || operation === undefined) return done();
    const { scope, testKeysOnly, liveKeysOnly } = operation;
    if (scope !== null && !request.caller.scopes.includes(scope)) {
      throw new LandfallError('insufficient_scope', `This needs a key with the scope ${scope}`);
    }
    if (testKeysOnly === true && !request.caller.test) throw new LandfallError('live_key_not_allowed', 'This needs a test key');
    if (liveKeysOnly === true && request.caller.test) {
      throw new LandfallError('test_key_not_allowed', 'This needs a live key; test shipments ask no carrier');
    }
    done();
  });
}

/**
 * Sets the request's caller and limits, or throws why the key does not do; `rate_limited` when the address tried too many that do not.
 * Addresses outside /v1 have none.
 */
export async function authenticateRequest(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!needsKey(request)) return;
  try {
    const presented = presentedKey(request.headers.authorization);
    refuseGuessing(ctx, request, reply);
    const key = await authenticateKey(ctx.core, presented, hash('sha256', presented, 'hex'));
    const { accountId, keyId, scopes, test } = key;
    request.caller = { accountId, keyId, scopes, test, requestId: request.id, idempotency: null };
    request.limits = key.limits;
  } catch (error) {
    showSignInLimit(ctx, request, reply);
    if (isFailedSignIn(error)) await countFailedSignIn(ctx, request, reply);
    throw error;
  }
}

/** A request without any key tried none: a probe of a load balancer shall not lock out the clients behind the same address. */
function isFailedSignIn(error: unknown): boolean {
  return error instanceof LandfallError && statusByCode[error.code] === 401 && error.code !== 'missing_api_key';
}

/** The caller of a route under /v1. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new LandfallError('missing_api_key', 'Send your API key as Authorization: Bearer svc_live_…');
  return request.caller;
}

/** Decided by the route that matched as well as by the path: the router decodes `/%761/shipments` before it matches. */
function needsKey(request: FastifyRequest): boolean {
  return [request.routeOptions.url ?? '', request.url].some((address) => /^\/v1(?:[/?#;]|$)/.test(address));
}

function presentedKey(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === '') {
    throw new LandfallError('missing_api_key', 'Send your API key as Authorization: Bearer svc_live_…; a key in the address is not read');
  }
  const presented = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (presented === undefined) throw new LandfallError('invalid_api_key', 'Authorization must be the word Bearer, a space and the API key');
  if (parseApiKey(presented) === null) throw new LandfallError('invalid_api_key', 'The API key is not complete or has a typing error');
  return presented;
}
