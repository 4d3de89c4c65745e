import type { DcsaEvent } from '../voyages/event.ts';
import type { Dialect, Refusal } from './dialect.ts';
import { keyRefusal } from './line-errors.ts';

const badRequest: Refusal = {
  status: 400,
  body: { status: 400, message: 'carrierBookingReference and equipmentReference are required' },
};

/**
 * HMM's dialect: one object with the events grouped by type, words in mixed case, places as text, ships and voyages beside the events. It
 * wants a booking and a container number; `ZZ` is every container.
 */
export const hmmDialect: Dialect = {
  path: '/sim/hmm/gateway/dcsaCargoTracking/v1/cargo-tracking-dcsa',
  scac: 'HDMU',
  style: {
    operatorIn: 'nowhere',
    cursor: 'none',
    defaultLimit: 1000,
    sortFields: [],
    heard: ['carrierBookingReference', 'equipmentReference'],
    everyContainer: 'ZZ',
  },
  headers: {},
  authenticate: (request) =>
    keyRefusal(request.headers['x-gateway-apikey'], { status: 401, body: { status: 401, message: 'Invalid API key' } }),
  check: (_request, query, mistakes) => {
    const hasBoth = query.texts.carrierBookingReference && query.texts.equipmentReference;
    return hasBoth && mistakes.length === 0 ? null : badRequest;
  },
  notFound: () => ({ status: 404, body: { status: 404, message: 'No data' } }),
  select: () => true,
  render: (events) => events.map(renderEvent),
  wrap: (events) => ({
    shipment: { carrierID: 'HDMU' },
    transport: { modeOfTransportCode: 'Vessel' },
    equipment: {},
    shipmentEvent: events.filter((event) => event.eventType === 'Shipment'),
    transportEvent: events.filter((event) => event.eventType === 'Transport').map(withoutShip),
    equipmentEvent: events.filter((event) => event.eventType === 'Equipment'),
    transportCall: shipCalls(events),
  }),
};

function renderEvent(event: DcsaEvent): Record<string, unknown> {
  const {
    documentReferences: _documents,
    references: _references,
    eventLocation,
    transportCall,
    documentID,
    emptyIndicatorCode,
    ...rest
  } = event;
  return {
    ...rest,
    eventType: titled(event.eventType),
    ...(documentID ? { documentId: documentID } : {}),
    ...(emptyIndicatorCode ? { emptyIndicatorCode: titled(emptyIndicatorCode) } : {}),
    ...(eventLocation ? { eventLocation: eventLocation.UNLocationCode } : {}),
    ...(transportCall ? { transportCall: renderCall(transportCall) } : {}),
  };
}

function renderCall(call: NonNullable<DcsaEvent['transportCall']>): Record<string, unknown> {
  return { ...call, modeOfTransport: titled(call.modeOfTransport), location: call.UNLocationCode };
}

/** A transport event's ship is listed beside the events. */
function withoutShip(event: Record<string, unknown>): Record<string, unknown> {
  const {
    vessel: _vessel,
    exportVoyageNumber: _export,
    importVoyageNumber: _import,
    ...call
  } = Object(event.transportCall);
  return { ...event, transportCall: call };
}

function shipCalls(events: readonly Record<string, unknown>[]): unknown[] {
  const calls = events.filter((event) => event.eventType === 'Transport').map((event) => Object(event.transportCall));
  return [...new Map(calls.map((call) => [call.transportCallID, call])).values()];
}

function titled(word: string): string {
  return `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`;
}
