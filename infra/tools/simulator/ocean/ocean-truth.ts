import type { KnownEvent, Truth } from '../carrier-route.ts';
import type { DcsaEvent } from '../voyages/event.ts';

/**
 * The actual events of a voyage's containers (DCSA's codes with `EMPTY` or `LADEN`) and the status of the least
 * advanced container. With document events only, the status is booked.
 */
export function oceanTruth(published: readonly DcsaEvent[]): Truth {
  const actual = published.filter((event) => event.eventClassifierCode === 'ACT');
  const containers = new Set(published.flatMap(({ equipmentReference }) => equipmentReference ?? []));
  const calls = published.flatMap(({ transportCall }) => (transportCall?.vessel ? [transportCall] : []));
  const last = calls.reduce((sequence, call) => Math.max(sequence, call.transportCallSequenceNumber), 0);
  const stages = ['pending', 'booked', 'in_transit', 'arrived', 'out_for_delivery', 'delivered'];
  const ofShipment = actual.filter(({ equipmentReference }) => equipmentReference === undefined);
  const stageOf = (events: readonly DcsaEvent[]): number =>
    Math.max(0, ...events.map((event) => stages.indexOf(stageAfter(event, last))));
  const reached = [...containers].map((container) =>
    stageOf([...ofShipment, ...actual.filter(({ equipmentReference }) => equipmentReference === container)]),
  );
  return {
    status: stages[reached.length > 0 ? Math.min(...reached) : stageOf(ofShipment)] ?? 'pending',
    events: actual.map(knownEvent),
  };
}

function stageAfter(event: DcsaEvent, lastCall: number): string {
  const {
    equipmentEventTypeCode: move,
    transportEventTypeCode: sailing,
    emptyIndicatorCode: load,
    transportCall: call,
  } = event;
  const isLast = call?.transportCallSequenceNumber === lastCall;
  if (move === 'DROP' || (move === 'GTIN' && load === 'EMPTY')) return 'delivered';
  if (move === 'GTOT' && load === 'LADEN') return 'out_for_delivery';
  if ((sailing === 'ARRI' || move === 'DISC') && isLast) return 'arrived';
  return sailing !== undefined || move === 'LOAD' || move === 'DISC' ? 'in_transit' : 'booked';
}

function knownEvent(event: DcsaEvent): KnownEvent {
  const code =
    event.transportEventTypeCode ??
    event.equipmentEventTypeCode ??
    `${event.shipmentEventTypeCode} ${event.documentTypeCode}`;
  return {
    code: event.emptyIndicatorCode === undefined ? code : `${code} ${event.emptyIndicatorCode}`,
    at: new Date(event.eventDateTime).toISOString(),
    local: event.eventDateTime.slice(0, 16),
    place: event.transportCall?.UNLocationCode ?? null,
    container: event.equipmentReference ?? null,
  };
}
