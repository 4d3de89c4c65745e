import type { DcsaEvent } from '../voyages/event.ts';
import { numberOf } from '../voyages/random.ts';
import { bearerToken, type Dialect, keyRefusal, type Refusal } from './dialect.ts';

/** ONE's response to a request without a valid key or token. */
export const oneUnauthorized: Refusal = { status: 401, body: { ErrorCode: '401', Error: 'Unauthorized' } };

/**
 * ONE's dialect: transport and equipment events only, sorting by `payload.eventDateTime:desc`, feeders, and some
 * vessels without IMO number.
 */
export function createOneDialect(isToken: (token: string, nowMs: number) => boolean): Dialect {
  return {
    path: '/sim/one/v2/cargotracking/events',
    scac: 'ONEY',
    style: {
      operatorIn: 'name',
      cursor: 'opaque',
      defaultLimit: 100,
      sortFields: ['eventDateTime', 'eventCreatedDateTime'],
      standardSort: (sort) =>
        sort
          .replaceAll('payload.', '')
          .toUpperCase()
          .replace(/EVENT(CREATED)?DATETIME/g, (_word, created) =>
            created ? 'eventCreatedDateTime' : 'eventDateTime',
          ),
    },
    headers: {},
    authenticate: (request, nowMs) => {
      const token = bearerToken(request.headers.authorization);
      return (
        keyRefusal(request.headers.apikey, oneUnauthorized) ??
        (token !== null && isToken(token, nowMs) ? null : oneUnauthorized)
      );
    },
    check: (_request, query, mistakes) => {
      const all = query.asked.length > 0 ? mistakes : [...mistakes, 'one of the references is required'];
      return all.length > 0 ? { status: 400, body: { ErrorCode: '400', Error: all.join('; ') } } : null;
    },
    notFound: () => ({ status: 404, body: { ErrorCode: '404', Error: 'No data found' } }),
    select: (event) => event.eventType !== 'SHIPMENT',
    render: (events) => events.map(renderEvent),
    wrap: (events) => events,
  };
}

function renderEvent(event: DcsaEvent): Record<string, unknown> {
  const call = event.transportCall;
  if (!call?.vessel) return event;
  const { vesselIMONumber, ...unnumbered } = call.vessel;
  const vessel = numberOf(3, 'imo', vesselIMONumber) === 0 ? unnumbered : call.vessel;
  const modeOfTransport = numberOf(3, 'feeder', vesselIMONumber) === 0 ? 'FEEDER' : call.modeOfTransport;
  return { ...event, transportCall: { ...call, modeOfTransport, vessel } };
}
