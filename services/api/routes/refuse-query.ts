import type { FastifyRequest } from 'fastify';
import { LandfallError } from '#shared/domain/errors.ts';

/** For routes that take no query parameters: a key or a filter there would be silently without effect. */
export function refuseQuery(request: FastifyRequest): void {
  const names = Object.keys(Object(request.query));
  if (names.length === 0) return;
  const mistakes = names.slice(0, 20).map((name) => {
    const shown = name.slice(0, 64);
    return {
      pointer: `?${shown}`,
      code: 'unknown_parameter',
      detail: `${shown} is not a parameter; this address takes none`,
    };
  });
  throw new LandfallError('unknown_parameter', mistakes[0]?.detail ?? 'This address takes no parameters', { mistakes });
}
