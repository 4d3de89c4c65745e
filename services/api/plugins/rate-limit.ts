import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import { type LimitClass, type Limits, signInNetwork } from '#shared/domain/keys/limits.ts';
import type { ApiContext } from '../context.ts';

type Standing = { admitted: boolean; quota: number; remaining: number; resetS: number };

declare module 'fastify' {
  interface FastifyRequest {
    /** What the key may do a minute; null until the key is known. */
    limits: Limits | null;
  }
}

const requestsOf: Record<LimitClass, string> = { read: 'read', write: 'write', batch: 'batch', mcp: 'MCP' };

/** Counts each request against the allowance of its key or person. Behind those and before everything else: a refused request cost something too. */
export function registerRateLimit(app: FastifyInstance, ctx: ApiContext): void {
  app.decorateRequest('limits', null);
  // A callback and not a promise: nearly every request is decided at once, from what the process holds already.
  app.addHook('onRequest', (request, reply, done) => {
    const decision = countRequest(ctx, request, reply);
    if (!(decision instanceof Promise)) return done(refusalOf(decision));
    decision.then((late) => done(refusalOf(late)), done);
  });
}

/** For requests that reach no route: counts one with a known key and throws LandfallError `rate_limited`. */
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
  if ((person ?? caller) === null || limits === null) return null;
  const who = person === null ? { keyId: caller?.keyId ?? null } : { userId: person.user.id };
  const limitClass = request.routeOptions.config?.operation?.limit ?? 'read';
  const decide = (standing: Standing): Decision => {
    showStanding(reply, { policy: limitClass, windowS: ctx.limiter.windowS, standing });
    return { standing, limitClass, asker: person === null ? 'This key' : 'You' };
  };
  const standing = ctx.limiter.admit(limitKey(limitClass, who), limits[limitClass]);
  return standing instanceof Promise ? standing.then(decide) : decide(standing);
}

/** Under what the requests of a key or a person are counted. */
export function limitKey(limitClass: LimitClass, who: { userId: string } | { keyId: string | null }): string {
  return `${limitClass}:${'userId' in who ? `user:${who.userId}` : who.keyId}`;
}

function refusalOf(decision: Decision | null): LandfallError | undefined {
  if (decision === null || decision.standing.admitted) return undefined;
  const { standing, limitClass, asker } = decision;
  return new LandfallError(
    'rate_limited',
    `${asker} may make ${standing.quota} ${requestsOf[limitClass]} requests a minute, and they are used up; try again in ${standing.resetS} s`,
    { retryAfterS: standing.resetS },
  );
}

/** False for an address that failed to sign in too often. */
export function maySignIn(ctx: ApiContext, request: FastifyRequest): boolean {
  return ctx.limiter.standing(signInKey(request), ctx.settings.failedSignInsPerMinute).admitted;
}

/** Refuses an address that failed to sign in too often, before the key is looked up. Throws LandfallError `rate_limited`. */
export function refuseGuessing(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): void {
  const standing = ctx.limiter.standing(signInKey(request), ctx.settings.failedSignInsPerMinute);
  if (!standing.admitted) judgeSignIns(ctx, reply, standing);
}

/** Counts a failed sign-in of the request's address. Throws LandfallError `rate_limited` when it was one too many. */
export async function countFailedSignIn(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  judgeSignIns(ctx, reply, await ctx.limiter.admit(signInKey(request), ctx.settings.failedSignInsPerMinute));
}

/** The headers of an answer to a request without a key. */
export function showSignInLimit(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): void {
  const standing = ctx.limiter.standing(signInKey(request), ctx.settings.failedSignInsPerMinute);
  showStanding(reply, { policy: 'sign-in', windowS: ctx.limiter.windowS, standing });
}

function judgeSignIns(ctx: ApiContext, reply: FastifyReply, standing: Standing): void {
  showStanding(reply, { policy: 'sign-in', windowS: ctx.limiter.windowS, standing });
  if (standing.admitted) return;
  throw new LandfallError(
    'rate_limited',
    `More than ${standing.quota} sign-ins a minute failed from this address; correct the key and try again in ${standing.resetS} s`,
    { retryAfterS: standing.resetS },
  );
}

function signInKey(request: FastifyRequest): string {
  return `sign-in:${signInNetwork(request.ip)}`;
}

/**
 * Counts a try at a password or a link, whatever comes of it, so that many at once do not get through before the first has failed. Apart from
 * keys: who mistypes a password here must not lock out programs behind the same address. Throws LandfallError `rate_limited`.
 */
export async function countPasswordTry(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const key = `dashboard-${signInKey(request)}`;
  const standing = await ctx.limiter.admit(key, ctx.settings.failedSignInsPerMinute);
  showStanding(reply, { policy: 'sign-in', windowS: ctx.limiter.windowS, standing });
  if (standing.admitted) return;
  throw new LandfallError(
    'rate_limited',
    `More than ${standing.quota} tries a minute came from this address; try again in ${standing.resetS} s`,
    {
      retryAfterS: standing.resetS,
    },
  );
}

/** In the form of draft-ietf-httpapi-ratelimit-headers-09 and later: structured fields (RFC 9651), one policy, the one that applies. */
function showStanding(
  reply: FastifyReply,
  { policy, windowS, standing }: { policy: string; windowS: number; standing: Standing },
): void {
  reply.header('ratelimit-policy', `"${policy}";q=${standing.quota};w=${windowS}`);
  reply.header('ratelimit', `"${policy}";r=${standing.remaining};t=${standing.resetS}`);
}
