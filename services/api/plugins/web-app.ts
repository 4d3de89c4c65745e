import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';

const html = 'text/html; charset=utf-8';
const year = 31_536_000;
/** As a build names them, all in one folder: no way out of it, and nothing hidden. */
const fileName = /^[\w-][\w.-]*$/;

/** Nothing but the app's own files runs or is loaded. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Floating elements are placed by a style attribute; a style sheet or a script of somebody else is none.
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

/** The dashboard's files, at `/`. What matches no route and is asked for as a page is the app's to answer. */
export function registerWebApp(app: FastifyInstance, ctx: ApiContext): void {
  const folder = ctx.settings.webAppFolder;
  const config = { anyAccept: true };
  app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
  app.get('/', { config }, (request, reply) => sendPage(folder, request, reply));
  app.get('/index.html', { config }, (request, reply) => sendPage(folder, request, reply));
  app.get('/assets/*', { config }, (request, reply) => sendFile(folder, request, reply));
}

/** Answers what no route does: a file beside the page, as its icon, or a page of the app; null for anything else. */
export function serveWebApp(folder: string, request: FastifyRequest, reply: FastifyReply): FastifyReply | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null;
  const name = /^\/([a-z0-9-]+\.(?:js|svg|png|ico|webmanifest|txt))(?:\?|$)/.exec(request.url)?.[1];
  if (name !== undefined && existsSync(join(folder, name))) {
    return reply.header('cache-control', 'no-cache').sendFile(name, folder, { cacheControl: false });
  }
  return isPageOfApp(request) ? sendPage(folder, request, reply) : null;
}

/** What a browser asks for as a page. */
function isPageOfApp(request: FastifyRequest): boolean {
  if (/^\/(v1|docs|hooks|dashboard\/api|assets)(?:[/?#;]|$)/.test(request.url)) return false;
  return request.headers.accept?.includes('text/html') === true;
}

/** The app's one page: the address says what it shows. */
function sendPage(folder: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${year}`);
  return reply.status(200).headers(pageHeaders).send(readPage(folder));
}

/** Their names change with their contents, so they may be kept for good; that one is missing may not: a newer build may bring it. */
function sendFile(folder: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { '*': name } = request.params as { '*': string };
  if (!fileName.test(name) || !existsSync(join(folder, 'assets', name))) {
    reply.callNotFound();
    return reply;
  }
  return reply.sendFile(`assets/${name}`, folder, { maxAge: year * 1000, immutable: true });
}

/** Read anew each time: a build replaces it while we run, and it is one small file. */
function readPage(folder: string): string {
  const file = join(folder, 'index.html');
  return existsSync(file) ? readFileSync(file, 'utf8') : notBuilt;
}

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Landfall</title></head>
<body>
<h1>Landfall runs; its dashboard is not built</h1>
<p>Build it with <code>npx vite build services/dashboard</code>, or start Landfall with <code>npm start</code>, which builds it.</p>
<p>The API needs no dashboard: its documentation is at <a href="/docs">/docs</a>.</p>
</body>
</html>
`;
