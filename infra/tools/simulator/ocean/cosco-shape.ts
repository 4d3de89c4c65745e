import type { DcsaEvent } from '../voyages/event.ts';
import type { Voyage } from '../voyages/voyage.ts';

type Fields = Record<string, unknown>;

/** COSCO publishes neither documents nor stuffing, seals or the delivery to the consignee. */
export function isPublishedByCosco(event: DcsaEvent): boolean {
  if (event.eventType === 'SHIPMENT') return false;
  if (event.eventType === 'TRANSPORT') return event.transportCall?.vessel !== undefined;
  return (
    event.eventClassifierCode === 'ACT' && ['GTOT', 'GTIN', 'LOAD', 'DISC'].includes(event.equipmentEventTypeCode ?? '')
  );
}

/** The content of a response for a B/L or booking: the legs, and the last move of each container. */
export function renderCoscoBill(voyage: Voyage, events: readonly DcsaEvent[]): Fields {
  const calls = callsOf(events);
  const [first] = calls;
  const last = calls.at(-1);
  const containers = voyage.identifiers.containers
    .map((number) => lastMoveOf(number, events, calls.length))
    .filter((container) => container !== null);
  const labels = [...new Set(containers.map(({ label }) => label))];
  return {
    itNumber: null,
    actualShipment: calls.slice(1).map((to, index) => renderLeg(calls[index] ?? to, to, { events, index })),
    trackingPath: {
      billOfladingRefCode: voyage.identifiers.bl,
      trackingGroupReferenceCode: voyage.identifiers.bl,
      fromCity: cityOf(first),
      toCity: cityOf(last),
      cgoAvailTm: null,
      cgoFinalTm: null,
      flag: null,
    },
    containerStatus: labels.map((label) => ({
      label,
      containers: containers.filter((container) => container.label === label),
    })),
    doc_ext: [],
  };
}

/** The content of a response for a container number: the moves of its present journey, newest first. */
export function renderCoscoContainer(number: string, events: readonly DcsaEvent[]): Fields {
  const calls = callsOf(events);
  const moves = movesOf(number, events).map((event, index) => ({
    uuid: `${number}${index}`,
    containerNumber: number,
    containerNumberStatus: labelOf(event, calls.length),
    location: locationOf(event),
    timeOfIssue: localMinute(event),
    transportation: transportOf(event),
  }));
  const container = lastMoveOf(number, events, calls.length);
  return { containers: [{ containerCircleStatus: moves.reverse(), container, containerHistorys: [] }], notFound: '' };
}

type Call = { sequence: number; location: DcsaEvent['eventLocation']; vessel: string; voyage: string; service: string };

/** The vessels' calls in order, from departures and arrivals of any classifier. */
function callsOf(events: readonly DcsaEvent[]): Call[] {
  const calls = new Map<number, Call>();
  for (const { transportCall } of events) {
    if (transportCall?.vessel === undefined) continue;
    calls.set(transportCall.transportCallSequenceNumber, {
      sequence: transportCall.transportCallSequenceNumber,
      location: transportCall.location,
      vessel: transportCall.vessel.vesselName,
      voyage: transportCall.exportVoyageNumber ?? transportCall.importVoyageNumber ?? '',
      service: transportCall.carrierServiceCode ?? '',
    });
  }
  return [...calls.values()].sort((left, right) => left.sequence - right.sequence);
}

function renderLeg(from: Call, to: Call, { events, index }: { events: readonly DcsaEvent[]; index: number }): Fields {
  const at = (call: Call, code: 'DEPA' | 'ARRI', isActual: boolean): string | null => {
    const found = events.findLast(
      (event) =>
        event.transportEventTypeCode === code &&
        event.transportCall?.transportCallSequenceNumber === call.sequence &&
        (event.eventClassifierCode === 'ACT') === isActual,
    );
    return found === undefined ? null : localMinute(found);
  };
  return {
    rownum: String(index + 1),
    sequenceNumber: String(index + 1),
    vesselName: from.vessel.toUpperCase(),
    voyageNo: from.voyage,
    portOfLoading: from.location?.locationName ?? null,
    actualDepartureDate: at(from, 'DEPA', true),
    expectedDateOfDeparture: at(from, 'DEPA', false),
    portOfDischarge: to.location?.locationName ?? null,
    actualArrivalDate: at(to, 'ARRI', true),
    estimatedDateOfArrival: at(to, 'ARRI', false),
    actualShippingDate: null,
    city: cityOf(to),
    service: from.service,
    actualDischargeDate: null,
    vesselCde: 'T83',
  };
}

function movesOf(number: string, events: readonly DcsaEvent[]): DcsaEvent[] {
  return events
    .filter((event) => event.equipmentReference === number)
    .sort((left, right) => Date.parse(left.eventDateTime) - Date.parse(right.eventDateTime));
}

function lastMoveOf(number: string, events: readonly DcsaEvent[], calls: number): (Fields & { label: string }) | null {
  const last = movesOf(number, events).at(-1);
  if (last === undefined) return null;
  return {
    containerUuid: '1',
    containerNumber: number,
    containerType: '40HQ',
    grossWeight: '17720KG',
    piecesNumber: 80,
    label: labelOf(last, calls),
    sealNumber: 'K31436',
    location: locationOf(last),
    locationDateTime: localMinute(last),
    transportation: transportOf(last),
    flag: '2',
    railRef: null,
    inlandMvId: ' ',
    isShow: false,
    hsCode: [],
    isNorthAmericaRails: false,
  };
}

function labelOf(event: DcsaEvent, calls: number): string {
  const sequence = event.transportCall?.transportCallSequenceNumber ?? 0;
  const isEmpty = event.emptyIndicatorCode === 'EMPTY';
  switch (event.equipmentEventTypeCode) {
    case 'GTOT':
      return isEmpty ? 'Empty Equipment Despatched' : 'Gate-out from Last POD';
    case 'GTIN':
      return isEmpty ? 'Empty Equipment Returned' : 'Gate-In at First POL';
    case 'LOAD':
      return sequence <= 1 ? 'Loaded at First POL' : 'Loaded at T/S POL';
    default:
      return sequence >= calls ? 'Discharged at Last POD' : 'Discharged at T/S POD';
  }
}

function transportOf({ equipmentEventTypeCode: code }: DcsaEvent): string {
  return code === 'LOAD' ? 'Vessel' : code === 'DISC' ? ' ' : 'Truck';
}

function cityOf(call: Call | undefined): string {
  const location = call?.location;
  return location === undefined ? '' : `${location.locationName},${location.address.country}`;
}

function locationOf({ eventLocation, transportCall }: DcsaEvent): string {
  const location = eventLocation ?? transportCall?.location;
  if (location === undefined) return '';
  const { name, country } = location.address;
  return [name, location.locationName, location.locationName, country].join(',');
}

/** COSCO writes local time to the minute, without an offset. */
function localMinute({ eventDateTime }: DcsaEvent): string {
  return eventDateTime.slice(0, 16).replace('T', ' ');
}
