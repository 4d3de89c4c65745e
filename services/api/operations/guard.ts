import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { signInNetwork } from '#shared/domain/keys/limits.ts';
import type { ApiContext } from '../context.ts';
import { readCookie } from '../http/read-cookie.ts';

export type OperationsGuard = {
  /** Null: the port is open to everyone who reaches it. */
  token: string | null;
  /**
   * Returns whether a `Host` header is served without the token. Others are refused, so that no website can read the
   * port through a browser on this machine (DNS rebinding).
   */
  isAllowedHost: (header: string | undefined) => boolean;
  /** Tries with the token per minute and address. */
  triesPerMinute: number;
};

type Limiter = Pick<ApiContext['limiter'], 'admit' | 'giveBack'>;

const cookieName = 'landfall_operations';
const cookieLifetimeS = 8 * 3600;
const maxSessions = 100;
const hostRefusal =
  'Host name not allowed. Open this port as localhost or by its IP address, or add the name to ALLOWED_HOSTS.';

/**
 * Requires the token for `/operations…`: as a bearer token, as the cookie of a session, or once as `?token=…`, which
 * opens a session. The screens' files need none: they contain no data and are public on the API's port too. `/metrics`
 * needs an allowed host or the token.
 */
export function registerOperationsGuard(app: FastifyInstance, guard: OperationsGuard, limiter: Limiter): void {
  const sessions = openSessions();
  app.addHook('onRequest', async (request, reply) => {
    const isMetrics = request.routeOptions.url === '/metrics';
    if (!isMetrics && !isGuarded(request)) return;
    const { token } = guard;
    if (token === null || isMetrics) {
      if (guard.isAllowedHost(request.headers.host)) return;
      if (token === null) return refuse(reply, 403, hostRefusal);
    }
    if (sessions.has(readCookie(request, cookieName))) return;
    const query = new URL(request.url, 'http://localhost').searchParams.get('token');
    const given = query ?? /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
    if (given !== null) {
      const tries = `operations:${signInNetwork(request.ip)}`;
      const { admitted, resetS } = await limiter.admit(tries, guard.triesPerMinute);
      if (!admitted) {
        reply.header('retry-after', resetS);
        return refuse(reply, 429, `Too many wrong tokens from this IP address. Retry in ${resetS} s.`);
      }
      if (isSame(given, token)) {
        limiter.giveBack(tries);
        return query === null ? undefined : letIn(request, reply, sessions.open());
      }
    }
    reply.header('www-authenticate', 'Bearer realm="landfall operations"');
    return refuse(
      reply,
      401,
      'Token required. Open /operations?token=… with the OPERATIONS_TOKEN, or send it as a bearer token.',
    );
  });
}

/**
 * Sessions of this process, by the hash of their random id: the cookie is worth nothing at another process or after a
 * restart, and reveals nothing of the token.
 */
function openSessions(): { open: () => string; has: (id: string | null) => boolean } {
  const endAtMs = new Map<string, number>();
  return {
    open: () => {
      for (const [known, at] of endAtMs)
        if (at <= performance.now() || endAtMs.size >= maxSessions) endAtMs.delete(known);
      const id = randomBytes(32).toString('base64url');
      endAtMs.set(digest(id), performance.now() + cookieLifetimeS * 1000);
      return id;
    },
    has: (id) => id !== null && (endAtMs.get(digest(id)) ?? 0) > performance.now(),
  };
}

function isGuarded(request: FastifyRequest): boolean {
  return request.routeOptions.url === undefined || request.routeOptions.url.startsWith('/operations');
}

/**
 * The redirect removes the token from the address and the history. Cookies are shared by all ports of a host, so the
 * path keeps it from other services there.
 */
function letIn(request: FastifyRequest, reply: FastifyReply, session: string): FastifyReply {
  const url = new URL(request.url, 'http://localhost');
  url.searchParams.delete('token');
  const flags = `Path=/operations; HttpOnly; SameSite=Lax; Max-Age=${cookieLifetimeS}${request.protocol === 'https' ? '; Secure' : ''}`;
  return reply
    .headers({
      'set-cookie': `${cookieName}=${session}; ${flags}`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    .redirect(url.pathname.replace(/^\/+/, '/') + url.search, 303);
}

function refuse(reply: FastifyReply, status: number, line: string): FastifyReply {
  return reply
    .status(status)
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .send(`${line}\n`);
}

function isSame(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(digest(left)), Buffer.from(digest(right)));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
