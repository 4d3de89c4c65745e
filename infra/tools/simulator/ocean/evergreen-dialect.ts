import type { DcsaEvent } from '../voyages/event.ts';
import { dcsaError } from './dcsa-dialect.ts';
import { bearerToken, type Dialect } from './dialect.ts';
import { sortableFields } from './event-query.ts';

/**
 * Evergreen's dialect: `PLAN` for `PLN`, empty strings for vessel fields, and an error for a B/L number that has its
 * prefix.
 */
export function createEvergreenDialect(isToken: (token: string, nowMs: number) => boolean): Dialect {
  return {
    path: '/sim/evergreen/tnt/v2/events',
    scac: 'EGLV',
    style: { operatorIn: 'name', cursor: 'opaque', defaultLimit: 100, sortFields: sortableFields },
    headers: { 'API-Version': '2.2.0' },
    authenticate: (request, nowMs) => {
      const token = bearerToken(request.headers.authorization);
      return token !== null && isToken(token, nowMs)
        ? null
        : dcsaError(request, 401, 'Unauthorized', ['The token is not valid'], nowMs);
    },
    check: (request, query, mistakes, nowMs) => {
      if (query.asked.some(({ kind, reference }) => kind === 'bl' && /^EGLV/i.test(reference)))
        return dcsaError(request, 500, 'Internal Server Error', ['An unexpected error has occurred'], nowMs);
      return mistakes.length > 0 ? dcsaError(request, 400, 'Bad Request', mistakes, nowMs) : null;
    },
    notFound: () => null,
    select: () => true,
    render: (events) => events.map(renderEvent),
    wrap: (events) => events,
  };
}

function renderEvent(event: DcsaEvent): Record<string, unknown> {
  const call = event.transportCall;
  const vessel = call?.vessel
    ? { ...call.vessel, vesselFlag: '', vesselCallSignNumber: '' }
    : { vesselIMONumber: '', vesselName: '' };
  return {
    ...event,
    eventClassifierCode: event.eventClassifierCode === 'PLN' ? 'PLAN' : event.eventClassifierCode,
    ...(call ? { transportCall: { ...call, vessel } } : {}),
  };
}
