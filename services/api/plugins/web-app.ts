import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';

type Exchange = { request: FastifyRequest; reply: FastifyReply };

const html = 'text/html; charset=utf-8';
const year = 31_536_000;
/** A name that a build gives. All assets are in one folder: no path, no hidden file. */
const fileName = /^[\w-][\w.-]*$/;

/** Only the app's own files run or load. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Floating elements are placed by a style attribute. Foreign style sheets and scripts stay blocked.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'content-type': html,
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Serves the dashboard at `/`. It also answers every request for a page that matches no route. */
export function registerWebApp(app: FastifyInstance, ctx: ApiContext): void {
  const folder = ctx.settings.webAppFolder;
  const config = { anyAccept: true, isCompressed: true };
  app.get('/', { config }, (request, reply) => sendDashboard(folder, { request, reply }));
  app.get('/index.html', { config }, (request, reply) => sendDashboard(folder, { request, reply }));
  serveFiles(app, folder);
}

/** Serves the files that a build's pages load, at `/assets/*`. */
export function serveFiles(app: FastifyInstance, folder: string): void {
  app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
  app.get('/assets/*', { config: { anyAccept: true } }, (request, reply) => sendAsset(folder, request, reply));
}

/**
 * Answers a request that matches no route: a file beside the page, such as its icon, or a page of the app; else null.
 */
export function serveWebApp(folder: string, request: FastifyRequest, reply: FastifyReply): FastifyReply | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null;
  const name = /^\/([a-z0-9-]+\.(?:js|svg|png|ico|webmanifest|txt))(?:\?|$)/.exec(request.url)?.[1];
  if (name !== undefined && isBuilt(folder, name)) return sendFile(folder, name, reply);
  return isPageOfApp(request) ? sendDashboard(folder, { request, reply }) : null;
}

/** True when a browser requests it as a page. */
function isPageOfApp(request: FastifyRequest): boolean {
  if (/^\/(v1|docs|hooks|t|unsubscribe|dashboard\/api|assets)(?:[/?#;]|$)/.test(request.url)) return false;
  return request.headers.accept?.includes('text/html') === true;
}

/** The app has one page; the address decides what it shows. */
function sendDashboard(folder: string, { request, reply }: Exchange): FastifyReply {
  const sent = sendPage(folder, 'index.html', { request, reply });
  return sent ?? reply.status(200).headers(pageHeaders).send(notBuilt);
}

/** Sends a page of the build; null if it is not built. Reads it each time: a build may replace it while we run. */
export function sendPage(folder: string, name: string, { request, reply }: Exchange): FastifyReply | null {
  const file = join(folder, name);
  if (!existsSync(file)) return null;
  if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${year}`);
  return reply.status(200).headers(pageHeaders).send(readFileSync(file, 'utf8'));
}

export function isBuilt(folder: string, name: string): boolean {
  return existsSync(join(folder, name));
}

/** Sends a file beside the page, whose name stays the same from build to build. */
export function sendFile(folder: string, name: string, reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-cache').sendFile(name, folder, { cacheControl: false });
}

/**
 * An asset's name changes with its contents, so it is cacheable forever. A 404 is not: a newer build may bring the
 * file.
 */
function sendAsset(folder: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { '*': name } = request.params as { '*': string };
  if (!fileName.test(name) || !existsSync(join(folder, 'assets', name))) {
    reply.callNotFound();
    return reply;
  }
  return reply.sendFile(`assets/${name}`, folder, { maxAge: year * 1000, immutable: true });
}

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Landfall</title></head>
<body>
<h1>The dashboard is not built</h1>
<p>Landfall is running. Build its dashboard with <code>npx vite build services/dashboard</code>, or start Landfall with
<code>npm start</code>, which builds it.</p>
<p>The API works without the dashboard. See its <a href="/docs">documentation</a>.</p>
</body>
</html>
`;
