import type { FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiSettings } from '../context.ts';

const loopbackName = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Only the dashboard's own pages may call what a cookie opens: whatever changes something must name our origin, and nothing that says that it
 * comes from another site is answered. Throws LandfallError `origin_not_allowed`, `https_required`.
 */
export function refuseCrossSite(request: FastifyRequest, settings: Pick<ApiSettings, 'publicOrigin'>): void {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const site = request.headers['sec-fetch-site'];
  if (reads ? site === 'cross-site' : site !== undefined && site !== 'same-origin')
    throw foreign('comes from another site');
  const { origin } = request.headers;
  if (origin === undefined) {
    if (reads) return;
    throw foreign('has no Origin');
  }
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url === null || url.origin !== origin || !isOwn(url, request, settings))
    throw foreign(`comes from ${origin.slice(0, 100)}`);
  if (!reads && url.protocol === 'http:' && !loopbackName.test(url.hostname)) {
    throw new LandfallError(
      'https_required',
      'Signing in needs https here: a browser keeps the cookie over https only. Open the dashboard at an https address, or on the machine itself as http://127.0.0.1.',
    );
  }
}

/** TLS may end before us: the page then says https where we see http. A page cannot choose the Host that its browser sends. */
function isOwn(origin: URL, request: FastifyRequest, { publicOrigin }: Pick<ApiSettings, 'publicOrigin'>): boolean {
  if (origin.origin === publicOrigin) return true;
  const isWeb = origin.protocol === 'https:' || origin.protocol === `${request.protocol}:`;
  return isWeb && origin.host === hostOf(request.host, origin.protocol);
}

/** Without a port that goes without saying. */
function hostOf(host: string | undefined, protocol: string): string | null {
  const address = `${protocol}//${host ?? ''}`;
  return URL.canParse(address) ? new URL(address).host : null;
}

function foreign(what: string): LandfallError {
  return new LandfallError(
    'origin_not_allowed',
    `Only the dashboard’s own pages may call this, and the request ${what}.`,
  );
}
