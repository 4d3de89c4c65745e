import { createHash } from 'node:crypto';
import type { DcsaEvent } from '../voyages/event.ts';
import { dcsaError } from './dcsa-dialect.ts';
import { bearerToken, type Dialect, keyRefusal, type Refusal } from './dialect.ts';
import { sortableFields } from './event-query.ts';

const labels: Record<string, string> = {
  ARRI: 'Vessel Arrival',
  DEPA: 'Vessel Departure',
  LOAD: 'Loaded on board',
  DISC: 'Discharged',
  GTIN: 'Ready to be loaded',
  GTOT: 'Gate out',
  STUF: 'Stuffed',
  DROP: 'Delivered',
};

/**
 * CMA CGM's dialect: no shipment events, `carrierSpecificData` with phase and location type, ids of 40 hex digits,
 * responses that are cacheable for one hour. `keyId` alone gives the public view, which hashes the booking; a token
 * gives the private view.
 */
export function createCmaCgmDialect(isToken: (token: string, nowMs: number) => boolean): Dialect {
  const unauthorized: Refusal = {
    status: 401,
    body: { code: 401, message: 'Unauthorized', description: 'Invalid credentials' },
  };
  return {
    path: '/sim/cma-cgm/operation/trackandtrace/v1/events',
    scac: 'CMDU',
    style: { operatorIn: 'name', cursor: 'opaque', defaultLimit: 100, sortFields: sortableFields },
    headers: { 'API-Version': '2.2.0' },
    holdsS: 3600,
    authenticate: (request, nowMs) => {
      const token = bearerToken(request.headers.authorization);
      if (token !== null) return isToken(token, nowMs) ? null : unauthorized;
      return keyRefusal(request.headers.keyid, unauthorized);
    },
    check: (request, query, mistakes, nowMs) => {
      const all =
        query.asked.length > 0
          ? mistakes
          : [...mistakes, 'a booking, transport document or equipment reference is required'];
      return all.length > 0 ? dcsaError(request, 400, 'Bad Request', all, nowMs) : null;
    },
    notFound: (request, nowMs) =>
      dcsaError(request, 404, 'Not Found', ['No event was found for this reference'], nowMs),
    select: (event) => event.eventType !== 'SHIPMENT',
    render: (events, request) => {
      const isPublic = request.headers.authorization === undefined;
      const ports = portsOf(events);
      return events.map((event) => renderEvent(event, { isPublic, ports }));
    },
    wrap: (events) => events,
  };
}

type Ports = { first: string | null; last: string | null };

function portsOf(events: readonly DcsaEvent[]): Ports {
  const calls = events
    .filter((event) => event.eventType === 'TRANSPORT')
    .map((event) => event.transportCall)
    .filter((call) => call !== undefined)
    .sort((one, other) => one.transportCallSequenceNumber - other.transportCallSequenceNumber);
  return { first: calls[0]?.UNLocationCode ?? null, last: calls.at(-1)?.UNLocationCode ?? null };
}

function renderEvent(
  event: DcsaEvent,
  { isPublic, ports }: { isPublic: boolean; ports: Ports },
): Record<string, unknown> {
  const code = event.transportEventTypeCode ?? event.equipmentEventTypeCode ?? '';
  const type = locationType(event, ports);
  const phase = type === 'PTS' ? 'Transshipment' : type === 'PRE' || type === 'POL' ? 'Export' : 'Import';
  return {
    ...event,
    eventID: createHash('sha1').update(event.eventID).digest('hex'),
    carrierSpecificData: {
      internalEventCode: `P${code.slice(0, 2)}`,
      internalEventLabel: labels[code] ?? code,
      internalLocationCode: event.transportCall?.UNLocationCode,
      transportationPhase: phase,
      shipmentLocationType: type,
    },
    documentReferences: event.documentReferences.map((reference) =>
      isPublic && reference.documentReferenceType === 'BKG'
        ? { ...reference, documentReferenceValue: hashed(reference.documentReferenceValue) }
        : reference,
    ),
    references: [...event.references, { referenceType: 'LOAD', referenceValue: hashed(event.eventID).slice(0, 8) }],
  };
}

function locationType(event: DcsaEvent, ports: Ports): string {
  const call = event.transportCall;
  if (call?.modeOfTransport === 'TRUCK' && call.facilityTypeCode !== 'POTE')
    return call.transportCallSequenceNumber === 0 ? 'PRE' : 'PDE';
  if (call?.UNLocationCode === ports.first) return 'POL';
  return call?.UNLocationCode === ports.last ? 'POD' : 'PTS';
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
