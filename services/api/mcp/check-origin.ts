import type { FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import { type ApiSettings, loopbackHosts } from '../context.ts';

/** Refuses other host names (DNS rebinding) and pages of other origins. Clients that are no browser send no Origin. */
export function checkHostAndOrigin(request: FastifyRequest, settings: ApiSettings): void {
  const host = hostnameOf(`http://${request.headers.host ?? ''}`);
  if (settings.allowedHosts !== null && (host === null || !settings.allowedHosts.includes(host))) {
    throw new LandfallError('host_not_allowed', 'This host name is not one of the service; the operator allows names in ALLOWED_HOSTS');
  }
  const { origin } = request.headers;
  if (origin === undefined) return;
  const originHost = hostnameOf(origin);
  const isOfThisMachine = originHost !== null && loopbackHosts.includes(originHost);
  if (!isOfThisMachine && !settings.allowedOrigins.includes(origin)) {
    throw new LandfallError('origin_not_allowed', 'This browser origin is not allowed; the operator allows origins in ALLOWED_ORIGINS');
  }
}

function hostnameOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : null;
}
