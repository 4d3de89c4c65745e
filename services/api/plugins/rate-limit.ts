import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import { type LimitClass, type Limits, signInNetwork } from '#shared/domain/keys/limits.ts';
import type { ApiContext } from '../context.ts';

export type Standing = { admitted: boolean; quota: number; remaining: number; resetS: number };

declare module 'fastify' {
  interface FastifyRequest {
    /** Requests per minute of the caller. Null until the caller is known. */
    limits: Limits | null;
  }
}

/** Large bodies that an address may send without a session, for each of its tries that may fail. */
const largeBodiesPerTry = 15;
/** A sign-in has 100 to 300 bytes. Parsing this much costs no more than any other request. */
const maxSmallBodyBytes = 1024;

const requestsOf: Record<LimitClass, string> = { read: 'read', write: 'write', batch: 'batch', mcp: 'MCP' };

/**
 * Counts each request against the rate limit of its key or user. Right after authentication, because refused requests
 * cost something too.
 */
export function registerRateLimit(app: FastifyInstance, ctx: ApiContext): void {
  app.decorateRequest('limits', null);
  // A callback instead of a promise: nearly every request is decided synchronously, from the share that the process
  // holds.
  app.addHook('onRequest', (request, reply, done) => {
    const decision = countRequest(ctx, request, reply);
    if (!(decision instanceof Promise)) return done(refusalOf(decision));
    decision.then((late) => done(refusalOf(late)), done);
  });
}

/** Counts a request that reaches no route, if its key is known. Throws LandfallError `rate_limited`. */
export async function limitRequest(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const refusal = refusalOf(await countRequest(ctx, request, reply));
  if (refusal !== undefined) throw refusal;
}

type Decision = { standing: Standing; limitClass: LimitClass; asker: string };

function countRequest(
  ctx: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Decision | Promise<Decision> | null {
  const { caller, person, limits } = request;
  if ((person ?? caller) === null || limits === null)
    return isOpenToAnyone(request) && hasLargeBody(request) ? countLargeBody(ctx, request) : null;
  const who = person === null ? { keyId: caller?.keyId ?? null } : { userId: person.user.id };
  const limitClass = request.routeOptions.config?.operation?.limit ?? 'read';
  const decide = (standing: Standing): Decision => {
    showStanding(reply, { policy: limitClass, windowS: ctx.limiter.windowS, standing });
    return { standing, limitClass, asker: person === null ? 'this key' : 'this user' };
  };
  const standing = ctx.limiter.admit(limitKey(limitClass, who), limits[limitClass]);
  return standing instanceof Promise ? standing.then(decide) : decide(standing);
}

/**
 * Counts a request without a session whose body costs time before it is parsed. Small bodies don't count: other
 * requests must not keep people behind the same address from signing in. What fails in them counts afterwards.
 */
function countLargeBody(ctx: ApiContext, request: FastifyRequest): Decision | Promise<Decision> {
  const decide = (standing: Standing): Decision => ({ standing, limitClass: 'write', asker: 'this IP address' });
  const quota = ctx.settings.failedSignInsPerMinute * largeBodiesPerTry;
  const standing = ctx.limiter.admit(`large-body:${signInNetwork(request.ip)}`, quota);
  return standing instanceof Promise ? standing.then(decide) : decide(standing);
}

function hasLargeBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxSmallBodyBytes;
}

function isOpenToAnyone(request: FastifyRequest): boolean {
  const operation = request.routeOptions.config?.operation;
  return operation?.access === 'session' && operation.role === 'anyone';
}

/** The counter of a key or user. */
export function limitKey(limitClass: LimitClass, who: { userId: string } | { keyId: string | null }): string {
  return `${limitClass}:${'userId' in who ? `user:${who.userId}` : who.keyId}`;
}

function refusalOf(decision: Decision | null): LandfallError | undefined {
  if (decision === null || decision.standing.admitted) return undefined;
  const { standing, limitClass, asker } = decision;
  return new LandfallError(
    'rate_limited',
    `Rate limit of ${standing.quota} ${requestsOf[limitClass]} requests per minute exceeded for ${asker}. ` +
      `Retry in ${standing.resetS} s.`,
    { retryAfterS: standing.resetS },
  );
}

/**
 * As in draft-ietf-httpapi-ratelimit-headers-09 and later: structured fields (RFC 9651) with the policy that applies.
 */
export function showStanding(
  reply: FastifyReply,
  { policy, windowS, standing }: { policy: string; windowS: number; standing: Standing },
): void {
  reply.header('ratelimit-policy', `"${policy}";q=${standing.quota};w=${windowS}`);
  reply.header('ratelimit', `"${policy}";r=${standing.remaining};t=${standing.resetS}`);
}
