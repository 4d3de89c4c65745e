import type { DcsaEvent } from '../voyages/event.ts';
import { numberOf } from '../voyages/random.ts';
import { azureKeyRefusal, type Dialect, keyRefusal } from './dialect.ts';

/**
 * ZIM's dialect: B/L numbers only with their prefix, filters ignored, a quarter of the transport events without a
 * transport call.
 */
export const zimDialect: Dialect = {
  path: '/sim/zim/trackAndTrace/v2/',
  scac: 'ZIMU',
  style: {
    operatorIn: 'nowhere',
    cursor: 'none',
    defaultLimit: 1000,
    sortFields: [],
    accepted: ['transportDocumentReference', 'carrierBookingReference', 'equipmentReference'],
  },
  headers: {},
  authenticate: (request) => keyRefusal(request.headers['ocp-apim-subscription-key'], azureKeyRefusal),
  check: (_request, query, mistakes) => {
    const all = query.asked.length > 0 ? mistakes : [...mistakes, 'at least one reference is required'];
    if (all.length > 0) return { status: 400, body: { statusCode: 400, message: all.join('; ') } };
    const isBare = query.asked.some(
      ({ kind, reference }) => kind === 'bl' && !reference.toUpperCase().startsWith('ZIMU'),
    );
    return isBare ? { status: 200, body: [] } : null;
  },
  notFound: () => null,
  select: () => true,
  render: (events) => events.map((event) => (isWithoutCall(event) ? { ...event, transportCall: undefined } : event)),
  wrap: (events) => events,
};

function isWithoutCall(event: DcsaEvent): boolean {
  return event.eventType === 'TRANSPORT' && numberOf(4, 'call', event.eventID) === 0;
}
