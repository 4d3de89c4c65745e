import type { FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import { loopbackHosts } from '#shared/domain/operations/loopback-hosts.ts';
import type { ApiSettings } from '../context.ts';

/** Refuses other host names (DNS rebinding) and pages of other origins. Only browsers send an Origin. */
export function checkHostAndOrigin(request: FastifyRequest, settings: ApiSettings): void {
  const host = hostnameOf(request.headers.host ?? '');
  if (settings.allowedHosts !== null && (host === null || !settings.allowedHosts.includes(host))) {
    throw new LandfallError('host_not_allowed', 'This host is not allowed. Operators add hosts with ALLOWED_HOSTS.');
  }
  const { origin } = request.headers;
  if (origin === undefined) return;
  const isOfThisMachine =
    URL.canParse(origin) && new URL(origin).origin === origin && loopbackHosts.includes(new URL(origin).hostname);
  if (!isOfThisMachine && !settings.allowedOrigins.includes(origin)) {
    throw new LandfallError(
      'origin_not_allowed',
      'This origin is not allowed. Operators add origins with ALLOWED_ORIGINS.',
    );
  }
}

/** The name in a Host header; null for anything else, such as a name with a user before it. */
function hostnameOf(host: string): string | null {
  const address = `http://${host}`;
  return !/[@/?#\\]/.test(host) && URL.canParse(address) ? new URL(address).hostname.toLowerCase() : null;
}
