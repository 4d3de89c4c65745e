import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DashboardRole } from '#shared/contract/operation.ts';
import { isOperator, memberCaller } from '#shared/core/members/member-caller.ts';
import { listMemberships } from '#shared/core/members/members.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { limitsOf } from '#shared/domain/keys/limits.ts';
import { isAtLeast, type Role } from '#shared/domain/members/role.ts';
import { keepTrace } from '#shared/telemetry/events.ts';
import type { AuthRequest, SignedIn } from '../auth/open-auth.ts';
import type { ApiContext } from '../context.ts';
import { refuseCrossSite } from './same-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user. Null for requests with a key and for operations that need no session. */
    person: SignedIn | null;
  }
}

const dashboardAddress = /^\/dashboard\/api(?:[/?#;]|$)/;

/**
 * Requests under /dashboard/api must come from the dashboard's own pages, and need a session unless the operation is
 * open to anyone.
 */
export function registerSession(app: FastifyInstance, ctx: ApiContext): void {
  app.decorateRequest('person', null);
  app.addHook('onRequest', (request, reply, done) => {
    if (!isOfDashboard(request)) return done();
    admitPerson(ctx, request, reply).then(() => done(), done);
  });
}

/**
 * Also for requests without a route. Throws LandfallError `origin_not_allowed`, `https_required`, `not_signed_in`,
 * `role_not_allowed` …
 */
export async function admitPerson(ctx: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!isOfDashboard(request)) return;
  refuseCrossSite(request, ctx.settings);
  const role = roleOf(request);
  if (role === 'anyone') return;
  const person = await ctx.auth.readSession(authRequestOf(request));
  if (person === null) throw new LandfallError('not_signed_in', 'Authentication required. Sign in first.');
  request.person = person;
  for (const cookie of person.setCookies) reply.header('set-cookie', cookie);
  if (role === 'signed_in') {
    request.limits = limitsOf({});
    return;
  }
  if (role === 'operator') return admitOperator(ctx, request, person);
  await admitMember(ctx, request, { person, least: role });
}

/** Public operations are open to every member, within the scopes of the role. Unknown paths need a session too. */
function roleOf(request: FastifyRequest): DashboardRole {
  const operation = request.routeOptions.config?.operation;
  if (operation === undefined) return 'signed_in';
  return operation.access === 'session' ? operation.role : 'viewer';
}

/** By the matched route as well as by the path, as for keys. */
export function isOfDashboard(request: FastifyRequest): boolean {
  return [request.routeOptions.url ?? '', request.url].some((address) => dashboardAddress.test(address));
}

export function authRequestOf(request: FastifyRequest): AuthRequest {
  const { cookie, 'user-agent': userAgent } = request.headers;
  return { cookie: cookie ?? '', userAgent: userAgent ?? '', address: request.ip };
}

/** The signed-in user of a request that needs one. */
export function personOf(request: FastifyRequest): SignedIn {
  if (request.person === null) throw new LandfallError('not_signed_in', 'Authentication required. Sign in first.');
  return request.person;
}

async function admitOperator(ctx: ApiContext, request: FastifyRequest, { user }: SignedIn): Promise<void> {
  request.limits = limitsOf({});
  if (isOperator(await listMemberships(ctx.core, user.id))) return;
  throw new LandfallError(
    'role_not_allowed',
    'Only operators of the installation can do this: the owners of its first account.',
  );
}

async function admitMember(
  ctx: ApiContext,
  request: FastifyRequest,
  { person, least }: { person: SignedIn; least: Role },
): Promise<void> {
  const { caller, role, limits } = await memberCaller(ctx.core, person.user.id, {
    account: headerOf(request, 'landfall-account'),
    test: isTest(request),
    requestId: request.id,
  });
  request.caller = caller;
  request.limits = limits;
  if (caller.test) keepTrace('test');
  if (!isAtLeast(role, least))
    throw new LandfallError(
      'role_not_allowed',
      `Only ${plurals[least]} of the account can do this. Your role is ${role}.`,
    );
  const operation = request.routeOptions.config?.operation;
  const scope = operation === undefined || operation.access === 'session' ? null : operation.scope;
  if (scope !== null && !caller.scopes.includes(scope)) {
    const who = scope === 'shipments:write' ? 'members and owners' : 'owners';
    throw new LandfallError('role_not_allowed', `Only ${who} of the account can do this. Your role is ${role}.`);
  }
}

const plurals = { owner: 'owners', member: 'members and owners', viewer: 'members' } as const satisfies Record<
  Role,
  string
>;

function isTest(request: FastifyRequest): boolean {
  const mode = headerOf(request, 'landfall-mode') ?? 'live';
  if (mode !== 'live' && mode !== 'test')
    throw new LandfallError('validation_failed', 'The header landfall-mode must be live or test.');
  return mode === 'test';
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
