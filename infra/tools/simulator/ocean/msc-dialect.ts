import type { DcsaEvent, DcsaLocation } from '../voyages/event.ts';
import { numberOf } from '../voyages/random.ts';
import { azureKeyRefusal, bearerToken, type Dialect, keyRefusal, type Refusal } from './dialect.ts';

/**
 * MSC's dialect: exactly one reference, an `eventId` that is not unique, `unLocationCode`, addresses as text, estimates
 * instead of plans, local times marked `Z` (some with the true offset), and some events repeated and out of order.
 */
export function createMscDialect(isToken: (token: string, nowMs: number) => boolean): Dialect {
  return {
    path: '/sim/msc/msc/trackandtrace/v2.2/events',
    scac: 'MSCU',
    style: { operatorIn: 'name', cursor: 'none', defaultLimit: 1000, sortFields: ['eventDateTime'] },
    headers: {},
    authenticate: (request, nowMs) => {
      const token = bearerToken(request.headers.authorization);
      if (token !== null)
        return isToken(token, nowMs)
          ? null
          : { status: 401, body: { statusCode: 401, message: 'Unauthorized. Access token is invalid.' } };
      return keyRefusal(request.headers['ocp-apim-subscription-key'], azureKeyRefusal);
    },
    check: (_request, query, mistakes) => {
      if (query.asked.length !== 1)
        return badRequest('Exactly one of Container, Bill of Lading, or Booking is required');
      return mistakes.length > 0 ? badRequest(mistakes.join('; ')) : null;
    },
    notFound: () => ({ status: 404, body: { message: 'Container, Bill of Lading, or Booking: not found' } }),
    select: () => true,
    render: (events) => outOfOrder(events.map(renderEvent)),
    wrap: (events) => events,
  };
}

function badRequest(message: string): Refusal {
  return { status: 400, body: { message } };
}

function renderEvent(event: DcsaEvent): Record<string, unknown> {
  const { eventID, eventLocation, transportCall, seals, documentReferences, ...rest } = event;
  const classifier = event.eventClassifierCode === 'PLN' ? 'EST' : event.eventClassifierCode;
  const isTrue = numberOf(4, 'offset', eventID) === 0;
  return {
    ...rest,
    eventId: `${classifier}${event.eventDateTime.slice(0, 19)}:00${event.eventDateTime.slice(19)}`,
    eventClassifierCode: classifier,
    eventDateTime: isTrue ? event.eventDateTime : `${event.eventDateTime.slice(0, 19)}Z`,
    description: event.transportEventTypeCode ?? event.equipmentEventTypeCode ?? event.shipmentEventTypeCode,
    documentReferences,
    ...(seals
      ? { seals: seals.map(({ sealNumber }, index) => ({ sealNumber, sealSource: index % 2 === 0 ? 'TER' : 'VNT' })) }
      : {}),
    ...(eventLocation ? { eventLocation: renderLocation(eventLocation) } : {}),
    ...(transportCall ? { transportCall: renderCall(transportCall) } : {}),
  };
}

function renderCall(call: NonNullable<DcsaEvent['transportCall']>): Record<string, unknown> {
  const { transportCallID, UNLocationCode, location, vessel, ...rest } = call;
  const { vesselOperatorCarrierCodeListProvider, ...ship } = vessel ?? {};
  return {
    ...rest,
    transportCallId: transportCallID,
    unLocationCode: UNLocationCode,
    location: renderLocation(location),
    ...(vessel ? { vessel: { ...ship, vesselOperatorCarrierCodeList: vesselOperatorCarrierCodeListProvider } } : {}),
  };
}

function renderLocation({ UNLocationCode, address, ...rest }: DcsaLocation): Record<string, unknown> {
  return { ...rest, unLocationCode: UNLocationCode, address: `${address.name}, ${address.city}, ${address.country}` };
}

/** Repeats every fifth event and swaps neighbours. */
function outOfOrder(events: Record<string, unknown>[]): Record<string, unknown>[] {
  const doubled = events.flatMap((event, index) => (index % 5 === 4 ? [event, event] : [event]));
  return doubled.map((event, index) => doubled[index ^ 1] ?? event);
}
