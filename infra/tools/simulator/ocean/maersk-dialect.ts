import type { FastifyRequest } from 'fastify';
import type { DcsaEvent } from '../voyages/event.ts';
import { numberOf } from '../voyages/random.ts';
import type { Dialect, Refusal } from './dialect.ts';

/**
 * Maersk's dialect: a wrapped list, the operator in the value, numbered pages, an event id shared by all events at one
 * place, IMO numbers as JSON numbers, and some times without offset. `isToken` checks whether an access token is valid.
 */
export function createMaerskDialect(isToken: (token: string, nowMs: number) => boolean): Dialect {
  return {
    path: '/sim/maersk/track-and-trace-private/events',
    scac: 'MAEU',
    style: {
      operatorIn: 'value',
      cursor: 'page',
      defaultLimit: 100,
      sortFields: ['eventType', 'eventCreatedDateTime', 'eventDateTime', 'equipmentReference'],
    },
    headers: { 'API-Version': '2' },
    authenticate: (request, nowMs) => {
      const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
      if (!request.headers['consumer-key']) return gatewayError('ERR_GW_001', 'Unauthorized: Consumer-Key is missing');
      if (!token) return gatewayError('ERR_GW_002', 'Unauthorized: access token is missing');
      return isToken(token, nowMs)
        ? null
        : gatewayError('ERR_GW_003', 'Unauthorized: access token is invalid or expired');
    },
    check: (request, query, mistakes, nowMs) => {
      const all = [...mistakes];
      if (query.asked.length === 0)
        all.push('one of carrierBookingReference, transportDocumentReference, equipmentReference is required');
      for (const { reference } of query.asked) {
        if (!/^[A-Za-z0-9]{4,35}$/.test(reference)) all.push(`${reference} does not match the pattern`);
      }
      return all.length > 0 ? maerskError(request, 400, 'Validation error', all, nowMs) : null;
    },
    notFound: (request, nowMs) => maerskError(request, 404, 'No events found for the given search criteria', [], nowMs),
    render: (events) => events.map(renderEvent),
    select: () => true,
    wrap: (events) => ({ events }),
  };
}

/** The format of errors from Maersk's gateway, before the request reaches the service. */
export function gatewayError(code: string, message: string): Refusal {
  return { status: 401, body: { error: [{ code, message }] } };
}

function maerskError(
  request: FastifyRequest,
  status: number,
  message: string,
  subErrors: string[],
  nowMs: number,
): Refusal {
  const [date = '', time = ''] = new Date(nowMs).toISOString().slice(0, 19).split('T');
  return {
    status,
    body: {
      method: request.method,
      requestUri: request.url,
      status,
      timestamp: `${date.split('-').reverse().join('-')} ${time}`,
      message,
      subErrors: subErrors.map((text) => ({ message: text })),
    },
  };
}

function renderEvent(event: DcsaEvent): Record<string, unknown> {
  const call = event.transportCall;
  const booking = event.documentReferences[0]?.documentReferenceValue ?? '';
  const vessel = call?.vessel;
  const numericImo =
    vessel && numberOf(3, 'imo', event.eventID) === 0 ? { vesselIMONumber: Number(vessel.vesselIMONumber) } : {};
  return {
    ...event,
    eventID: String(1_000_000_000 + numberOf(8_000_000_000, 'maersk', booking, call?.UNLocationCode ?? '')),
    eventDateTime: numberOf(5, 'offset', event.eventID) === 0 ? event.eventDateTime.slice(0, 19) : event.eventDateTime,
    ...(call ? { transportCall: { ...call, ...(vessel ? { vessel: { ...vessel, ...numericImo } } : {}) } } : {}),
  };
}
