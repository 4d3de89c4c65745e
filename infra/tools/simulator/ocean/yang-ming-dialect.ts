import { dcsaError } from './dcsa-dialect.ts';
import { type Dialect, keyRefusal } from './dialect.ts';

/** Yang Ming's dialect: transport and equipment events only, exactly one reference, no paging. */
export const yangMingDialect: Dialect = {
  path: '/sim/yang-ming/v2/events',
  scac: 'YMLU',
  style: { operatorIn: 'name', cursor: 'none', defaultLimit: 1000, sortFields: [] },
  headers: { 'API-Version': '2.2.0' },
  authenticate: (request, nowMs) =>
    keyRefusal(request.headers.keyid, dcsaError(request, 401, 'Unauthorized', ['KeyId is not valid'], nowMs)),
  check: (request, query, mistakes, nowMs) => {
    const all = query.asked.length > 0 ? mistakes : [...mistakes, 'one of the references is required'];
    return all.length > 0 ? dcsaError(request, 400, 'Bad Request', all, nowMs) : null;
  },
  notFound: (request, nowMs) => dcsaError(request, 404, 'Not Found', ['No events'], nowMs),
  select: (event) => event.eventType !== 'SHIPMENT',
  render: (events) => events,
  wrap: (events) => events,
};
