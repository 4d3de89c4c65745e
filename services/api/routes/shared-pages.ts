import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorCatalogue } from '#shared/contract/error-catalogue.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { journeyShape, toTaggedText } from '#shared/contract/record/shipment-wire.ts';
import { type SharedView, sharedViewOf } from '#shared/contract/shares/shared-view.ts';
import { locateOnMap } from '#shared/core/lists/read-map.ts';
import { admit, type FoundShare, isAdmitted, openShare, readLogo } from '#shared/core/shares/open-share.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { signInNetwork } from '#shared/domain/keys/limits.ts';
import type { StoredRecord } from '#shared/domain/record/stored-record.ts';
import { setBounded } from '#shared/domain/set-bounded.ts';
import { type PageLanguage, pageLanguages, preferredLanguage } from '#shared/domain/shares/share.ts';
import type { ApiContext } from '../context.ts';
import { entityTag, matchesTag } from '../http/answer-headers.ts';
import { failureOf } from '../http/errors.ts';
import { readCookie } from '../http/read-cookie.ts';
import { drawForMany } from '../parsing/draw-on-thread.ts';
import { countPageTry } from '../plugins/failed-tries.ts';
import { notFoundPage, passwordPage, tooManyPage, unavailablePage } from '../shared-pages/notice-pages.ts';
import type { PageFrame, RenderedPage } from '../shared-pages/page-frame.ts';
import { type MapSize, type PageMap, pageMapOf } from '../shared-pages/page-map.ts';
import { pictureFit, pictureMapSize, pictureOf } from '../shared-pages/page-picture.ts';
import { shipmentPage } from '../shared-pages/shipment-page.ts';

type Exchange = { ctx: ApiContext; request: FastifyRequest; reply: FastifyReply };
/** `/t/<token>`, its logo or its picture. */
type Address = { token: string; file: 'page' | 'logo' | 'picture' };

const year = 31_536_000;
const viewsPerMinute = 300;
const admissionCookie = 'landfall_share';
const admissionSeconds = 12 * 3600;
/** The proportions of a phone: labels have a fixed size, the map's width varies. */
const mapSize: MapSize = { width: 680, height: 340 };
const maxPages = 200;
const maxPictures = 30;
const fileNames: Readonly<Record<string, Address['file']>> = { logo: 'logo', 'picture.png': 'picture' };

/**
 * Serves the public pages of shared shipments at `/t/…`. No key and no session: the token of the address opens one page.
 * All invalid tokens get the same response, and each request asks the database whether the link is still valid.
 */
export function registerSharedPages(app: FastifyInstance, ctx: ApiContext): void {
  const pages = new Map<string, RenderedPage>();
  const pictures = new Map<string, Promise<Buffer>>();
  const options = {
    config: { anyAccept: true, isCompressed: true },
    errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      sendFailure(error, { ctx, request, reply }),
  };
  app.register(async (shared) => {
    shared.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    shared.get('/t/*', options, async (request, reply) => {
      const exchange = { ctx, request, reply };
      if (!(await countView(exchange))) return reply;
      const address = readAddress(request);
      const share = address === null ? null : await openShare(ctx.core, address.token);
      if (share === null || address === null) return sendNotFound(exchange);
      if (address.file === 'logo') return sendLogo(share, exchange);
      if (address.file === 'picture') return sendPicture(share, pictures, exchange);
      const frame = frameOf(share, address, exchange);
      if (!isAdmitted(share, readCookie(request, admissionCookie)))
        return sendPage(passwordPage(frame, { isWrong: false }), 200, exchange);
      const record = await readShared(ctx, share);
      if (record === null) return sendNotFound(exchange);
      return sendPage(renderOnce(pages, share, { record, frame }), 200, exchange);
    });
    shared.post('/t/*', { ...options, bodyLimit: 2048 }, async (request, reply) => {
      const exchange = { ctx, request, reply };
      if (!(await countView(exchange))) return reply;
      const address = readAddress(request);
      const share = address === null ? null : await openShare(ctx.core, address.token);
      if (share === null || address === null || address.file !== 'page' || share.passwordHash === null)
        return sendNotFound(exchange);
      return tryPassword(share, address, exchange);
    });
  });
}

/** True for a malformed address of a page, which no route matches. */
export function isSharedAddress(url: string): boolean {
  return url.startsWith('/t/');
}

/** The answer to every link that opens nothing. */
export async function sendNotFound({ ctx, request, reply }: Exchange): Promise<FastifyReply> {
  const quota = ctx.settings.failedSignInsPerMinute;
  const { admitted } = await ctx.limiter.admit(`shared-miss:${signInNetwork(request.ip)}`, quota);
  const language = languageOf(request, 'en');
  return admitted
    ? sendPage(notFoundPage(language), 404, { ctx, request, reply })
    : sendTooMany({ ctx, request, reply });
}

/** False: the answer is sent. */
async function countView(exchange: Exchange): Promise<boolean> {
  const { ctx, request } = exchange;
  const { admitted } = await ctx.limiter.admit(`shared-page:${signInNetwork(request.ip)}`, viewsPerMinute);
  if (!admitted) sendTooMany(exchange);
  return admitted;
}

function sendTooMany(exchange: Exchange): FastifyReply {
  exchange.reply.header('retry-after', String(exchange.ctx.limiter.windowS));
  return sendPage(tooManyPage(languageOf(exchange.request, 'en')), 429, exchange);
}

function readAddress(request: FastifyRequest): Address | null {
  const [token = '', name, ...rest] = (request.params as { '*': string })['*'].split('/');
  const file = name === undefined ? 'page' : fileNames[name];
  return file === undefined || rest.length > 0 ? null : { token, file };
}

function frameOf(
  { settings }: FoundShare,
  { token }: Address,
  { ctx, request }: Exchange,
): Omit<PageFrame, 'title' | 'description' | 'style'> {
  const path = `/t/${token}`;
  const isEmbedded = (request.query as { embed?: unknown }).embed === '1';
  const language = languageOf(request, settings.language);
  return {
    language,
    path,
    isEmbedded,
    brand: {
      name: settings.name,
      accentColor: settings.accentColor,
      supportUrl: settings.supportUrl,
      logo: settings.logoHash === null ? null : `${path}/logo`,
    },
    picture: `${ctx.core.settings.publicBaseUrl}${path}/picture.png`,
    frameAncestors: isEmbedded ? settings.embedOrigins : [],
  };
}

function languageOf(request: FastifyRequest, otherwise: PageLanguage): PageLanguage {
  // A malformed address has no query.
  const { lang } = (request.query ?? {}) as { lang?: unknown };
  const asked = pageLanguages.find((language) => language === lang);
  return asked ?? preferredLanguage(request.headers['accept-language'] ?? '') ?? otherwise;
}

function readShared({ records }: ApiContext, share: FoundShare): Promise<StoredRecord | null> {
  return records.read(share.accountId, { id: share.shipmentId, test: share.test, shape: journeyShape });
}

/** Each visible change is a new version, so that the version stands for the record. */
function versionOf({ version, late }: StoredRecord, share: FoundShare): string {
  return JSON.stringify([share.shareId, version, late, share.shows, share.settings]);
}

type Rendering = { view: SharedView; map: PageMap | null };

function renderOnce(
  pages: Map<string, RenderedPage>,
  share: FoundShare,
  { record, frame }: { record: StoredRecord; frame: Omit<PageFrame, 'title' | 'description' | 'style'> },
): RenderedPage {
  const key = `${versionOf(record, share)} ${frame.language} ${frame.isEmbedded}`;
  const known = pages.get(key);
  if (known !== undefined) return known;
  const { view, map } = viewOf(record, share, mapSize);
  return setBounded(pages, { key, value: shipmentPage(view, map, frame), max: maxPages });
}

function viewOf(record: StoredRecord, { shows }: FoundShare, size: MapSize): Rendering {
  const wire = JSON.parse(toTaggedText(record).text) as WireShipment;
  return { view: sharedViewOf(wire, shows), map: pageMapOf(wire, size, locateOnMap) };
}

async function sendLogo({ accountId }: FoundShare, exchange: Exchange): Promise<FastifyReply> {
  const logo = await readLogo(exchange.ctx.core, accountId);
  return logo === null ? sendNotFound(exchange) : sendImage(logo, exchange);
}

/** Sends a picture without the shipment's data for a page with a password: networks that fetch pictures have none. */
async function sendPicture(
  share: FoundShare,
  pictures: Map<string, Promise<Buffer>>,
  exchange: Exchange,
): Promise<FastifyReply> {
  const record = await readShared(exchange.ctx, share);
  if (record === null) return sendNotFound(exchange);
  const language = languageOf(exchange.request, share.settings.language);
  const key = `${versionOf(record, share)} ${language}`;
  const { accentColor, name } = share.settings;
  const draw = () => {
    const shown = share.passwordHash === null ? viewOf(record, share, pictureMapSize) : null;
    const svg = pictureOf(shown, { language, accentColor, name });
    return drawForMany(exchange.ctx, share.accountId, { bytes: Buffer.from(svg), fitTo: pictureFit });
  };
  const drawing = pictures.get(key) ?? setBounded(pictures, { key, value: draw(), max: maxPictures });
  drawing.catch(() => pictures.delete(key));
  return sendImage(await drawing, exchange);
}

async function tryPassword(share: FoundShare, address: Address, exchange: Exchange): Promise<FastifyReply> {
  const { ctx, request, reply } = exchange;
  const counted = await countPageTry(ctx, request, share.shareId);
  if (counted === null) return sendTooMany(exchange);
  const password = new URLSearchParams(typeof request.body === 'string' ? request.body : '').get('password') ?? '';
  const admission = password === '' ? null : await admit(share, password);
  const frame = frameOf(share, address, exchange);
  if (admission === null) return sendPage(passwordPage(frame, { isWrong: true }), 403, exchange);
  counted.giveBack();
  const path = `/t/${address.token}`;
  const secure = request.protocol === 'https' ? '; Secure' : '';
  const cookie = `${admissionCookie}=${admission}; Path=${path}; Max-Age=${admissionSeconds}; HttpOnly; SameSite=Lax${secure}`;
  return reply
    .header('set-cookie', cookie)
    .header('cache-control', 'no-store')
    .redirect(`${path}?lang=${frame.language}`, 303);
}

/** Browsers ask each time, so that a revoked link ends at once; an unchanged page is not sent again. */
function sendPage(page: RenderedPage, status: number, { request, reply }: Exchange): FastifyReply {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-cache',
    vary: 'accept-language, cookie',
    'content-security-policy': page.contentSecurityPolicy,
    ...commonHeaders,
  });
  if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${year}`);
  if (status !== 200) return reply.status(status).send(page.text);
  const etag = entityTag(page.text + page.contentSecurityPolicy);
  reply.header('etag', etag);
  return matchesTag(request.headers['if-none-match'], etag)
    ? reply.status(304).send()
    : reply.status(200).send(page.text);
}

function sendImage(png: Buffer, { request, reply }: Exchange): FastifyReply {
  const etag = entityTag(png);
  reply.headers({
    'content-type': 'image/png',
    'cache-control': 'private, no-cache',
    etag,
    'content-security-policy': "default-src 'none'; sandbox",
    ...commonHeaders,
  });
  return matchesTag(request.headers['if-none-match'], etag) ? reply.status(304).send() : reply.send(png);
}

const commonHeaders = {
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
};

/** A reader gets a page, not a problem document. */
async function sendFailure(error: unknown, exchange: Exchange): Promise<FastifyReply> {
  const { code } = failureOf(error, exchange.request, exchange.ctx.logger);
  const status = errorCatalogue[code].status;
  if (status < 500) return sendNotFound(exchange);
  const retryAfterS = (error instanceof LandfallError ? error.retryAfterS : null) ?? 60;
  exchange.reply.header('retry-after', String(retryAfterS));
  return sendPage(unavailablePage(languageOf(exchange.request, 'en')), status, exchange);
}
