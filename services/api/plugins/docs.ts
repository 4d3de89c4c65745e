import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';
import { asyncApiText } from '../docs/build-asyncapi.ts';
import { documentText, landfallDocument } from '../docs/build-openapi.ts';
import { errorsPage } from '../docs/errors-page.ts';
import { mcpPage } from '../docs/mcp-page.ts';
import { copyScript } from '../docs/mcp-page-assets.ts';
import { readerBaseUrl } from '../docs/reader-base-url.ts';
import { loadReaderScript, readerPage, readerStart } from '../docs/reader-page.ts';
import { type StaticPage, sendStaticPage, staticPage } from '../docs/static-page.ts';

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const json = 'application/json; charset=utf-8';

/** The public documentation: API reference, MCP, errors and the OpenAPI document. No key required. */
export function registerDocs(app: FastifyInstance, ctx: ApiContext): void {
  const options = { config: { anyAccept: true } };
  const reader = servePage(html, readerPage);
  app.get('/docs', options, reader);
  app.get('/docs/', options, reader);
  app.get('/docs/reader.js', options, servePage(script, readerStart));
  app.get('/docs/scalar.js', options, servePage(script, loadReaderScript));
  app.get('/docs/mcp', options, serveMcpPage(ctx));
  app.get('/docs/copy.js', options, servePage(script, copyScript));
  app.get('/docs/errors', options, servePage(html, errorsPage));
  app.get(
    '/docs/openapi.json',
    options,
    servePage(json, () => documentText(landfallDocument())),
  );
  app.get('/docs/asyncapi.json', options, servePage(json, asyncApiText));
}

/** Renders the page with the first request and caches it, unless rendering fails. */
function servePage(mediaType: string, write: () => string | Promise<string>) {
  let page: Promise<StaticPage> | null = null;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    page ??= Promise.resolve(write()).then((text) => staticPage(mediaType, text));
    page.catch(() => {
      page = null;
    });
    return sendStaticPage(request, reply, await page);
  };
}

/**
 * The page names the base URL of its reader, so it is rendered per base URL. The last one is cached. It is made of the
 * `Host` alone and not for shared caches: a cache doesn't keep answers apart by `X-Forwarded-Host`, so one client could
 * put another host before all the others. A request that was forwarded under another name gets the published address.
 */
function serveMcpPage(ctx: ApiContext) {
  let last: { baseUrl: string; page: Promise<StaticPage> } | null = null;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const host = request.headers['x-forwarded-host'] === undefined ? (request.headers.host ?? '') : '';
    const baseUrl = readerBaseUrl({ protocol: request.protocol, host }, ctx.core.settings.publicBaseUrl);
    if (last?.baseUrl !== baseUrl) last = { baseUrl, page: staticPage(html, mcpPage(baseUrl), { isShared: false }) };
    return sendStaticPage(request, reply, await last.page);
  };
}
