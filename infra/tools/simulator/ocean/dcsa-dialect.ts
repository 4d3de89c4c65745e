import type { FastifyRequest } from 'fastify';
import type { DcsaEvent } from '../voyages/event.ts';
import type { Dialect, Refusal } from './dialect.ts';
import { sortableFields } from './event-query.ts';

const apiVersion = '2.2.0';

/**
 * Strict Track & Trace 2.2, for every line without a dialect of its own. Requires no credentials; the key `wrong` is
 * rejected.
 */
export const dcsaDialect: Dialect = {
  path: '/sim/dcsa/v2/events',
  scac: null,
  style: { operatorIn: 'name', cursor: 'opaque', defaultLimit: 100, sortFields: sortableFields },
  headers: { 'API-Version': apiVersion },
  authenticate: (request, nowMs) =>
    request.headers.apikey === 'wrong'
      ? dcsaError(request, 401, 'Unauthorized', ['The API key is wrong'], nowMs)
      : null,
  check: (request, _query, mistakes, nowMs) => {
    const version = request.headers['api-version'];
    const all = version === undefined || version === '2' ? mistakes : [...mistakes, 'API-Version must be 2'];
    return all.length > 0 ? dcsaError(request, 400, 'Bad Request', all, nowMs) : null;
  },
  notFound: () => null,
  render: renderDcsaEvents,
  select: () => true,
  wrap: (events) => events,
};

/**
 * The events as the standard defines them. Shipment events have no document references; they name only their own
 * document.
 */
export function renderDcsaEvents(events: DcsaEvent[]): Record<string, unknown>[] {
  return events.map((event) => (event.eventType === 'SHIPMENT' ? { ...event, documentReferences: undefined } : event));
}

/** The standard's error body. */
export function dcsaError(
  request: FastifyRequest,
  status: number,
  text: string,
  messages: string[],
  nowMs: number,
): Refusal {
  return {
    status,
    body: {
      httpMethod: request.method,
      requestUri: request.url,
      errors: messages.map((message) => ({ reason: text, message })),
      statusCode: status,
      statusCodeText: text,
      errorDateTime: new Date(nowMs).toISOString(),
    },
  };
}
