import type { FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiSettings } from '../api-settings.ts';

const loopbackName = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Only the dashboard's own pages may use the session cookie: requests that change something must have our Origin, and
 * requests from other sites are refused. Throws LandfallError `origin_not_allowed` or `https_required`.
 */
export function refuseCrossSite(request: FastifyRequest, settings: Pick<ApiSettings, 'publicOrigin'>): void {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const site = request.headers['sec-fetch-site'];
  if (reads ? site === 'cross-site' : site !== undefined && site !== 'same-origin')
    throw foreign('The request comes from another site.');
  const { origin } = request.headers;
  if (origin === undefined) {
    if (reads) return;
    throw foreign('The request has no Origin header.');
  }
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url === null || url.origin !== origin || !isOwn(url, request, settings))
    throw foreign(`Origin ${origin.slice(0, 100)} is not allowed.`);
  if (!reads && url.protocol === 'http:' && !loopbackName.test(url.hostname)) {
    throw new LandfallError(
      'https_required',
      'Signing in requires HTTPS, because browsers keep the session cookie over HTTPS only. Open the dashboard ' +
        'over HTTPS, or on the server itself at http://127.0.0.1.',
    );
  }
}

/**
 * TLS may end at a proxy: the page then has https where we see http. A page can't choose the Host that its browser
 * sends.
 */
function isOwn(origin: URL, request: FastifyRequest, { publicOrigin }: Pick<ApiSettings, 'publicOrigin'>): boolean {
  if (origin.origin === publicOrigin) return true;
  const isWeb = origin.protocol === 'https:' || origin.protocol === `${request.protocol}:`;
  return isWeb && origin.host === hostOf(request.host, origin.protocol);
}

/** Without a default port. */
function hostOf(host: string | undefined, protocol: string): string | null {
  const address = `${protocol}//${host ?? ''}`;
  return URL.canParse(address) ? new URL(address).host : null;
}

function foreign(what: string): LandfallError {
  return new LandfallError('origin_not_allowed', `${what} Only the dashboard’s own pages may call this.`);
}
