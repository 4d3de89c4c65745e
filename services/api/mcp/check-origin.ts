import type { FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';
import { hostNameOf, loopbackHosts } from '#shared/domain/installation/allowed-host.ts';
import type { ApiSettings } from '../api-settings.ts';

/** Refuses other host names (DNS rebinding) and pages of other origins. Only browsers send an Origin. */
export function checkHostAndOrigin(request: FastifyRequest, settings: ApiSettings): void {
  const host = hostNameOf(request.headers.host ?? '');
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
