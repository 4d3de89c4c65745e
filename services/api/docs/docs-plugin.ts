import { basename } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedRanges } from '#shared/contract/input/accepted-ranges.ts';
import { mcpbPath } from '#shared/contract/mcp-clients.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import { isBuilt, sendFile } from '../plugins/web-app.ts';
import { docsPages, llmsIndex, skill } from './docs-pages.ts';
import { asyncApiText } from './openapi/build-asyncapi.ts';
import { documentText, landfallDocument } from './openapi/build-openapi.ts';
import { copyScript } from './page-assets.ts';
import type { Installation } from './page-frame.ts';
import { readerBaseUrl } from './reader-base-url.ts';
import { loadReaderScript, readerStart } from './reader-page.ts';
import { serverCard, serverCardType } from './server-card.ts';
import { type StaticPage, sendStaticPage, staticPage } from './static-page.ts';

const html = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const json = 'application/json; charset=utf-8';
const plain = 'text/plain; charset=utf-8';

type FindPage = (request: FastifyRequest) => Promise<StaticPage>;
type Write = (baseUrl: string, installation: Installation) => string | Promise<string>;

/**
 * The public documentation: API reference, MCP, errors, their Markdown twins, and the documents for programs. No key
 * required.
 */
export function registerDocs(app: FastifyInstance, ctx: ApiContext): void {
  const personal = (mediaType: string, write: Write) => findPersonalPage(ctx, mediaType, write);
  const serve = (path: string, find: FindPage, headers: Record<string, string> = {}) =>
    app.get(path, { config: { anyAccept: true } }, async (request, reply) =>
      sendStaticPage(request, reply.headers(headers), await find(request)),
    );
  for (const page of docsPages) {
    const find = page.isPersonal ? personal : findSharedPage;
    const forPeople = find(html, page.html);
    const forPrograms = find(markdown, page.markdown);
    const negotiated: FindPage = async (request) => ({
      ...(await (prefersMarkdown(request) ? forPrograms : forPeople)(request)),
      isNegotiated: true,
    });
    serve(page.path, negotiated);
    if (page.path === '/docs') serve('/docs/', negotiated);
    serve(`${page.path}.md`, forPrograms);
  }
  serve(skill.path, personal(markdown, skill.markdown));
  serve('/llms.txt', findSharedPage(plain, llmsIndex));
  serve('/docs/reader.js', findSharedPage(script, readerStart));
  serve('/docs/scalar.js', findSharedPage(script, loadReaderScript));
  serve('/docs/copy.js', findSharedPage(script, copyScript));
  serve(
    '/docs/openapi.json',
    findSharedPage(json, () => documentText(landfallDocument())),
  );
  serve('/docs/asyncapi.json', findSharedPage(json, asyncApiText));
  // Clients in browsers look for it too. It is public, and the same for every caller.
  serve('/.well-known/mcp/server-card.json', personal(serverCardType, serverCard), {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET',
  });
  app.get(mcpbPath, { config: { anyAccept: true } }, (_request, reply) => sendMcpb(ctx, reply));
}

/** A page that is the same for everyone. It is rendered with the first request and kept, unless rendering fails. */
function findSharedPage(mediaType: string, write: Write): FindPage {
  let page: Promise<StaticPage> | null = null;
  return () => {
    page ??= Promise.resolve(write('', { oauth: false })).then((text) => staticPage(mediaType, text));
    page.catch(() => {
      page = null;
    });
    return page;
  };
}

/**
 * A page that names the base URL of its reader, so it is rendered per base URL. The last one is kept. It is made of the
 * `Host` alone and not for shared caches: a cache doesn't keep answers apart by `X-Forwarded-Host`, so one client could
 * put another host before all the others. A request that was forwarded under another name gets the published address.
 */
function findPersonalPage(ctx: ApiContext, mediaType: string, write: Write): FindPage {
  let last: { baseUrl: string; page: Promise<StaticPage> } | null = null;
  return async (request) => {
    const host = request.headers['x-forwarded-host'] === undefined ? (request.headers.host ?? '') : '';
    const baseUrl = readerBaseUrl({ protocol: request.protocol, host }, ctx.core.settings.publicBaseUrl);
    if (last?.baseUrl !== baseUrl)
      last = {
        baseUrl,
        page: staticPage(mediaType, await write(baseUrl, { oauth: ctx.oauth !== null }), { isShared: false }),
      };
    return last.page;
  };
}

/** True when the client accepts Markdown and does not prefer HTML. Browsers never name Markdown. */
function prefersMarkdown(request: FastifyRequest): boolean {
  const ranges = acceptedRanges(request.headers.accept) ?? [];
  const [asMarkdown, asHtml] = [ranges.indexOf('text/markdown'), ranges.indexOf('text/html')];
  return asMarkdown !== -1 && (asHtml === -1 || asMarkdown < asHtml);
}

/** The MCPB file is built with the dashboard. As a file to download, so that no browser unpacks it. */
function sendMcpb({ settings }: ApiContext, reply: FastifyReply): FastifyReply {
  const name = basename(mcpbPath);
  if (!isBuilt(settings.webAppFolder, name))
    throw new LandfallError('route_not_found', 'The MCPB file is not built. Build the dashboard, which includes it.');
  reply.headers({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
  });
  return sendFile(settings.webAppFolder, name, reply);
}
