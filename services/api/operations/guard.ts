import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type OperationsGuard = {
  /** Null: the port is open to everyone who reaches it. */
  token: string | null;
  /**
   * Host names (without port) that are served without a token. Other names are refused, so that no website can read the
   * port through a browser on this machine (DNS rebinding).
   */
  hosts: readonly string[];
};

const cookieName = 'landfall_operations';
const cookieLifetimeS = 8 * 3600;

/**
 * Requires the token for `/operations…`: as a bearer token, as a cookie, or once as `?token=…`, which sets the cookie.
 * The screens' files need none: they contain no data and are public on the API's port too.
 */
export function registerOperationsGuard(app: FastifyInstance, { token, hosts }: OperationsGuard): void {
  const proof = token === null ? null : digest(token);
  app.addHook('onRequest', async (request, reply) => {
    if (!isGuarded(request)) return;
    if (token === null || proof === null) {
      if (!hosts.includes(hostOf(request)))
        return refuse(reply, 403, 'Host name not allowed. Open this port as localhost, or set OPERATIONS_TOKEN.');
      return;
    }
    const given = new URL(request.url, 'http://localhost').searchParams.get('token');
    if (given !== null && isSame(given, token)) return letIn(request, reply, proof);
    const bearer = /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer !== undefined && isSame(bearer, token)) return;
    const cookie = cookieOf(request);
    if (cookie !== null && isSame(cookie, proof)) return;
    reply.header('www-authenticate', 'Bearer realm="landfall operations"');
    return refuse(
      reply,
      401,
      'Token required. Open /operations?token=… with the OPERATIONS_TOKEN, or send it as a bearer token.',
    );
  });
}

function isGuarded(request: FastifyRequest): boolean {
  return request.routeOptions.url === undefined || request.routeOptions.url.startsWith('/operations');
}

/**
 * The cookie contains a digest, not the token. The redirect removes the token from the address and the history. Cookies
 * are shared by all ports of a host, so the path keeps it from other services there.
 */
function letIn(request: FastifyRequest, reply: FastifyReply, proof: string): FastifyReply {
  const url = new URL(request.url, 'http://localhost');
  url.searchParams.delete('token');
  const flags = `Path=/operations; HttpOnly; SameSite=Lax; Max-Age=${cookieLifetimeS}${request.protocol === 'https' ? '; Secure' : ''}`;
  return reply
    .headers({
      'set-cookie': `${cookieName}=${proof}; ${flags}`,
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

function hostOf(request: FastifyRequest): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
}

function cookieOf(request: FastifyRequest): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) ?? null;
}

function isSame(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(digest(left)), Buffer.from(digest(right)));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
