import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type OperationsGuard = {
  /** Null: whoever reaches the port may read. */
  token: string | null;
  /** Host names (without port) that the pages answer to while there is no token; browsers of this machine must not be lent to other sites. */
  hosts: readonly string[];
};

const cookieName = 'landfall_operations';
const cookieLifetimeS = 8 * 3600;

/** Lets requests for `/operations…` pass that bring the token as a bearer, a cookie or once as `?token=…`, which becomes the cookie. */
export function registerOperationsGuard(app: FastifyInstance, { token, hosts }: OperationsGuard): void {
  const proof = token === null ? null : digest(token);
  app.addHook('onRequest', async (request, reply) => {
    if (!isGuarded(request)) return;
    if (token === null || proof === null) {
      if (!hosts.includes(hostOf(request)))
        return refuse(reply, 403, 'This port answers to the host names of this machine only.');
      return;
    }
    const given = new URL(request.url, 'http://localhost').searchParams.get('token');
    if (given !== null && isSame(given, token)) return letIn(request, reply, proof);
    const bearer = /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer !== undefined && isSame(bearer, token)) return;
    const cookie = cookieOf(request);
    if (cookie !== null && isSame(cookie, proof)) return;
    reply.header('www-authenticate', 'Bearer realm="landfall operations"');
    return refuse(reply, 401, 'Open /operations?token=… with OPERATIONS_TOKEN, or send it as a bearer token.');
  });
}

function isGuarded(request: FastifyRequest): boolean {
  return request.routeOptions.url === undefined || request.routeOptions.url.startsWith('/operations');
}

/** The cookie proves the token without holding it; the address is opened again without it, so that no history keeps it. */
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
