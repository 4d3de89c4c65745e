import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';
import { copyScript } from '../docs/copy-script.ts';
import { errorsPage } from '../docs/errors-page.ts';
import { documentText, landfallDocument } from '../docs/landfall-document.ts';
import { mcpPage } from '../docs/mcp-page.ts';
import { readerBaseUrl } from '../docs/reader-base-url.ts';
import { loadReaderScript, readerPage, readerStart } from '../docs/reader-page.ts';
import { type StaticPage, sendStaticPage, staticPage } from '../docs/static-page.ts';

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

/** The documentation, for everybody, without a key: the reader, MCP, the errors and the OpenAPI document. */
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
    servePage('application/json; charset=utf-8', () => documentText(landfallDocument())),
  );
}

/** Made when first asked for, then kept; a failure is not kept. */
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

/** One page for each address at which somebody reads it; the last one is kept. */
function serveMcpPage(ctx: ApiContext) {
  let last: { baseUrl: string; page: StaticPage } | null = null;
  return (request: FastifyRequest, reply: FastifyReply) => {
    const baseUrl = readerBaseUrl(request, ctx.core.settings.publicBaseUrl);
    if (last?.baseUrl !== baseUrl) last = { baseUrl, page: staticPage(html, mcpPage(baseUrl)) };
    return sendStaticPage(request, reply, last.page);
  };
}
