import type { DcsaEvent } from '../voyages/event.ts';
import { type Dialect, keyRefusal, type Refusal } from './dialect.ts';

const badRequest: Refusal = {
  status: 400,
  body: { status: 400, message: 'carrierBookingReference and equipmentReference are required' },
};

/**
 * HMM's dialect: one object with the events grouped by type, codes in mixed case, places as text, vessels and voyages
 * next to the events. It requires a booking and a container number; `ZZ` stands for every container.
 */
export const hmmDialect: Dialect = {
  path: '/sim/hmm/gateway/dcsaCargoTracking/v1/cargo-tracking-dcsa',
  scac: 'HDMU',
  style: {
    operatorIn: 'nowhere',
    cursor: 'none',
    defaultLimit: 1000,
    sortFields: [],
    accepted: ['carrierBookingReference', 'equipmentReference'],
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
    eventType: titleCase(event.eventType),
    ...(documentID ? { documentId: documentID } : {}),
    ...(emptyIndicatorCode ? { emptyIndicatorCode: titleCase(emptyIndicatorCode) } : {}),
    ...(eventLocation ? { eventLocation: eventLocation.UNLocationCode } : {}),
    ...(transportCall ? { transportCall: renderCall(transportCall) } : {}),
  };
}

function renderCall(call: NonNullable<DcsaEvent['transportCall']>): Record<string, unknown> {
  return { ...call, modeOfTransport: titleCase(call.modeOfTransport), location: call.UNLocationCode };
}

/** A transport event's vessel is listed next to the events. */
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

function titleCase(word: string): string {
  return `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`;
}
