import type { DcsaEvent } from '../voyages/event.ts';
import { numberOf } from '../voyages/random.ts';
import type { Dialect, Refusal } from './dialect.ts';

const groupCodes: Record<string, string> = { '22G1': '22GP', '42G1': '42GP', '45G1': '45GP', '45R1': '45RT' };

/**
 * Hapag-Lloyd's dialect: no event ids, no document references, `transportCallId`, some vessels without IMO number, BIC
 * facility codes, times in UTC, ISO group codes, only the latest estimate, and only issued and confirmed documents.
 */
export const hapagLloydDialect: Dialect = {
  path: '/sim/hapag-lloyd/hlag/external/v2/events/',
  scac: 'HLCU',
  style: {
    operatorIn: 'nowhere',
    cursor: 'none',
    defaultLimit: 1000,
    sortFields: ['eventCreatedDateTime', 'eventDateTime'],
  },
  headers: {},
  authenticate: (request) =>
    request.headers['x-ibm-client-id'] &&
    request.headers['x-ibm-client-secret'] &&
    request.headers['x-ibm-client-secret'] !== 'wrong'
      ? null
      : hapagError(401, 'Unauthorized', 'Invalid client id or secret.'),
  check: (_request, _query, mistakes) =>
    mistakes.length > 0 ? hapagError(400, 'Bad Request', mistakes.join('; ')) : null,
  notFound: () => null,
  render: (events) => latestOnly(events).map(renderEvent),
  select: (event) =>
    event.eventType !== 'SHIPMENT' ||
    (event.shipmentEventTypeCode === 'ISSU' && event.documentTypeCode === 'TRD') ||
    (event.shipmentEventTypeCode === 'CONF' && event.documentTypeCode === 'BKG'),
  wrap: (events) => events,
};

function hapagError(status: number, text: string, detail: string): Refusal {
  return { status, body: { httpCode: String(status), httpMessage: text, moreInformation: detail } };
}

function latestOnly(events: DcsaEvent[]): DcsaEvent[] {
  const latest = new Map<string, DcsaEvent>();
  for (const event of events) {
    const call = event.transportCall?.transportCallID ?? event.documentTypeCode;
    const code = event.transportEventTypeCode ?? event.equipmentEventTypeCode ?? event.shipmentEventTypeCode;
    // Every actual event is kept, even repeated ones.
    const time = event.eventClassifierCode === 'ACT' ? event.eventDateTime : '';
    const key = `${event.eventClassifierCode} ${code} ${call} ${event.equipmentReference ?? ''} ${time}`;
    const before = latest.get(key);
    if (!before || before.eventCreatedDateTime <= event.eventCreatedDateTime) latest.set(key, event);
  }
  return [...latest.values()];
}

function renderEvent(event: DcsaEvent): Record<string, unknown> {
  const { eventID, documentReferences: _documents, transportCall, eventLocation, ISOEquipmentCode, ...rest } = event;
  const location = eventLocation ? { eventLocation: { ...eventLocation, ...bicFacility(eventLocation) } } : {};
  return {
    ...rest,
    eventCreatedDateTime: new Date(event.eventCreatedDateTime).toISOString(),
    eventDateTime: new Date(event.eventDateTime).toISOString(),
    ...(ISOEquipmentCode ? { ISOEquipmentCode: groupCodes[ISOEquipmentCode] ?? ISOEquipmentCode } : {}),
    ...location,
    ...(transportCall ? { transportCall: renderCall(transportCall, eventID) } : {}),
  };
}

function renderCall(call: NonNullable<DcsaEvent['transportCall']>, eventID: string): Record<string, unknown> {
  const { transportCallID, vessel, exportVoyageNumber, importVoyageNumber, ...rest } = call;
  const imo = vessel && numberOf(2, 'imo', eventID) === 0 ? null : vessel?.vesselIMONumber;
  return {
    ...rest,
    transportCallId: transportCallID,
    ...(exportVoyageNumber
      ? { exportVoyageNumber: `UNIF  ${exportVoyageNumber}`, importVoyageNumber: `UNIF  ${importVoyageNumber}` }
      : {}),
    ...bicFacility(call),
    location: { ...call.location, ...bicFacility(call.location) },
    ...(vessel ? { vessel: { ...vessel, vesselIMONumber: imo } } : {}),
  };
}

function bicFacility(place: { UNLocationCode: string; facilityCode?: string }): Record<string, string> {
  if (!place.facilityCode) return {};
  return {
    facilityCode: `${place.UNLocationCode}${place.facilityCode.padEnd(4, 'X').slice(0, 4)}`,
    facilityCodeListProvider: 'BIC',
  };
}
