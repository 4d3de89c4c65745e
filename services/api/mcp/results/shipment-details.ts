import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { toMcpFields } from '#shared/contract/record/shipment-wire.ts';
import type { EventCode } from '#shared/domain/events/event.ts';
import { terminalOf } from '#shared/domain/lists/terminal-of.ts';
import type { VehiclePosition } from '#shared/domain/positions/vehicle-position.ts';
import type { Journey, Leg, PieceState, RecordEvent, Shipment, Tracking } from '#shared/domain/record/shipment.ts';
import { describeContainer, describeFreeTime, nameContainers } from './describe-containers.ts';
import {
  describeCargo,
  describeDelivery,
  describePickupPoint,
  describePiece,
  describeReturn,
  rarestFirst,
} from './describe-delivery.ts';
import { describeEstimate, describePromised, describeTimes } from './describe-times.ts';
import {
  conciseForms,
  detailedEvents,
  detailedForms,
  type Form,
  maxEstimates,
  maxEvents,
  maxTokens,
  roomForLists,
} from './detail-forms.ts';
import { mergeEvents, toEventRow } from './event-rows.ts';
import { describeMatched, type MatchedNumber } from './matched-number.ts';
import { firstFitting, minuteText, moreReferences, placeText, shortText, timeText, tokensOf } from './tool-result.ts';

export type ResponseFormat = 'concise' | 'detailed';

const staleReasons: Partial<Record<Tracking['state'], string>> = {
  degraded: 'refreshes have been failing for some time',
  failed: 'tracking failed',
  stopped: 'tracking was stopped',
};

/**
 * The record for a model, within its token limit: location and evidence first, texts of carriers last. `events`: newest
 * first.
 */
export function describeShipment(
  shipment: Shipment,
  format: ResponseFormat,
  { events = shipment.journey.events, matched = null }: Partial<Described> = {},
): Record<string, unknown> {
  const described = { events, matched };
  if (format === 'concise')
    return firstFitting(conciseForms, maxTokens.concise, (form) => describe(shipment, form, described));
  const base = firstFitting(detailedForms, maxTokens.detailed - roomForLists, (form) =>
    describe(shipment, form, described),
  );
  return withLists(base, shipment, events);
}

/** `matched`: the number that was searched, if it is one of several. */
type Described = { events: readonly RecordEvent[]; matched: MatchedNumber | null };

function describe(shipment: Shipment, form: Form, { events, matched }: Described): Record<string, unknown> {
  const { journey, tracking } = shipment;
  const evidence = events.find((event) => event.id === journey.statusEvidence?.eventId);
  const { containers } = journey;
  const topStatuses = Object.entries(journey.containerStatusCounts).toSorted(([, left], [, right]) => right - left);
  const isMany = containers.length > form.containers;
  const exceptions = form.isDetailed ? journey.exceptions : openOfEachCode(journey.exceptions);
  const lastEvents = form.isDetailed ? [] : mergeEvents(events, containers.length).slice(0, form.events);
  const { status, status_detail, transport_mode, carrier, delay_hours, overdue_hours, ...others } =
    toMcpFields(shipment);
  return {
    shipment_id: toShipmentId(shipment.id),
    matched: describeMatched(matched, events),
    test: shipment.test || null,
    archived_at: minuteText(shipment.archivedAt),
    ...{ status, status_detail },
    status_since: form.isDetailed || evidence === undefined ? minuteText(shipment.statusChangedAt) : null,
    status_evidence: journey.statusEvidence && {
      code: journey.statusEvidence.code,
      at: timeText(evidence?.time),
      place: form.places === 'full' ? placeText(evidence?.location) : null,
      source: journey.statusEvidence.source === 'carrier' && !form.isDetailed ? null : journey.statusEvidence.source,
    },
    ...{ transport_mode, carrier },
    carrier_name: form.isDetailed ? shipment.carrierName : null,
    identifiers: Object.fromEntries(
      Object.entries(shipment.identifiers).map(([key, value]) => [key, shortText(value, form.identifier)]),
    ),
    reference: shortText(shipment.reference, form.reference),
    more_references: moreReferences(shipment, form.isDetailed ? 20 : form.reference < 30 ? 1 : 5, form.reference),
    references_count: shipment.references.length > 2 ? shipment.references.length : null,
    tags: form.isDetailed ? shipment.tags.slice(0, 10).map((tag) => shortText(tag, form.reference)) : null,
    current_location: placeText(journey.currentLocation, form.places),
    under_way: describeVoyage(journey, form),
    current_position: describePosition(shipment.currentPosition, form),
    origin: placeText(journey.origin, form.places),
    destination: placeText(journey.destination, form.places),
    terminal: shortText(terminalOf(journey), form.isDetailed ? 60 : form.isBare ? 0 : 30),
    departure: describeTimes(journey.departure, form),
    arrival: describePromised(journey.arrival, form),
    eta_kind: journey.eta?.kind === 'delivery' ? 'delivery' : null,
    delay_hours,
    delay_basis: form.isDetailed || journey.delayHours ? journey.delayBasis : null,
    overdue_hours,
    eta_history:
      form.isDetailed && journey.etaHistory.length > 1
        ? journey.etaHistory.slice(-maxEstimates).map(describeEstimate)
        : null,
    delivery: describeDelivery(shipment, form),
    pickup_point: describePickupPoint(journey, form),
    return: describeReturn(journey, form),
    exceptions: exceptions
      .toSorted((left, right) => Number(left.resolvedAt !== null) - Number(right.resolvedAt !== null))
      .slice(0, form.exceptions)
      .map((exception) => ({
        code: exception.code,
        severity: form.isDetailed ? exception.severity : null,
        since: minuteText(exception.openedAt),
        resolved_at: minuteText(exception.resolvedAt),
        piece: shortText(exception.piece, form.pieceNumber),
        message: shortText(exception.message, form.message),
      })),
    exceptions_count: exceptions.length > form.exceptions ? exceptions.length : null,
    ...describeCargo(journey, form, events),
    legs: journey.legs.slice(0, form.legs).map((leg) => describeLeg(leg, form)),
    containers_count: containers.length || null,
    container_status_counts: isMany ? Object.fromEntries(topStatuses.slice(0, form.statuses)) : null,
    free_time: describeFreeTime(journey),
    ...(form.isDetailed ? {} : nameContainers(containers, form, events)),
    events_count: journey.eventsCount,
    events: lastEvents.map((event) => toEventRow(event, form.eventForm)),
    tracking: {
      state: tracking.state,
      reason: form.isBare && staleBecause(tracking) !== null ? null : tracking.reason,
      freshness: tracking.freshness,
      source: form.isDetailed || (!form.isBare && tracking.source?.startsWith('simulator:')) ? tracking.source : null,
      next_refresh_at: form.isDetailed ? minuteText(tracking.nextRefreshAt) : null,
    },
    warnings: shipment.warnings
      .slice(0, form.isDetailed ? 10 : 1)
      .map((warning) => (form.isDetailed ? warning.detail : warning.code)),
    data_as_of: minuteText(tracking.lastSucceededAt),
    stale_because: staleBecause(tracking),
    ...others,
  };
}

/** One exception per code: several containers may be held for the same reason. */
function openOfEachCode(exceptions: Journey['exceptions']): Journey['exceptions'] {
  const open = exceptions.filter((exception) => exception.resolvedAt === null);
  return open.filter(({ code }, index) => open.findIndex((other) => other.code === code) === index);
}

/** Containers and pieces each get a third of the room, events the rest, and both what remains. Says what was omitted. */
function withLists(
  base: Record<string, unknown>,
  shipment: Shipment,
  events: readonly RecordEvent[],
): Record<string, unknown> {
  const { journey } = shipment;
  const room = maxTokens.detailed - tokensOf(base) - 60;
  const containers = journey.containers.map((container) => describeContainer(container, events, true));
  const describeAll = (all: readonly PieceState[]) =>
    all.map((piece) => describePiece(piece, detailedForms[0], events));
  const pieces = describeAll(journey.pieces);
  const roomForEvents = room - tokensOf(fill(containers, room / 3)) - tokensOf(fill(pieces, room / 3));
  const wanted = events.slice(0, maxEvents);
  const forms = detailedEvents.map((form) => wanted.map((event) => toEventRow(event, form)));
  const rows = forms.find((all) => tokensOf(all) <= roomForEvents) ?? forms.at(-1) ?? [];
  const shownEvents = fill(rows, roomForEvents);
  const roomForUnits = room - tokensOf(shownEvents);
  const shownContainers = fill(containers, roomForUnits - tokensOf(fill(pieces, room / 3)));
  const roomForPieces = roomForUnits - tokensOf(shownContainers);
  const isPiecesCut = fill(pieces, roomForPieces).length < pieces.length;
  const shownPieces = isPiecesCut ? fill(describeAll(rarestFirst(journey.pieces)), roomForPieces) : pieces;
  const isCut = shownEvents.length < journey.eventsCount || shownContainers.length < containers.length || isPiecesCut;
  const address = `GET /v1/shipments/${toShipmentId(shipment.id)}`;
  return {
    ...base,
    containers: shownContainers,
    containers_shown: shownContainers.length < containers.length ? shownContainers.length : null,
    pieces: shownPieces,
    pieces_shown: isPiecesCut ? shownPieces.length : null,
    events: shownEvents,
    events_shown: shownEvents.length < journey.eventsCount ? shownEvents.length : null,
    rest: isCut ? `Truncated. All events: ${address}/events; all containers and pieces: ${address}` : null,
  };
}

function fill<Row>(rows: readonly Row[], room: number): Row[] {
  let left = room;
  const end = rows.findIndex((row) => {
    left -= tokensOf(row) + 1;
    return left < 0;
  });
  return rows.slice(0, end === -1 ? rows.length : end);
}

const underWay: readonly Journey['status'][] = ['in_transit', 'returned'];
const leavingCodes: readonly EventCode[] = ['departed', 'rail_departed', 'departed_facility'];

/** Between two places: the last one and the next one. */
function describeVoyage(journey: Journey, form: Form): Record<string, unknown> | null {
  const { latestEvent } = journey;
  if (journey.currentLocation !== null || latestEvent === null || !underWay.includes(journey.status)) return null;
  const leg = journey.legs.findLast((one) => one.departure.actual !== null && one.arrival.actual === null) ?? null;
  const left = journey.events.find(
    (event) => event.classifier === 'actual' && event.flags.length === 0 && leavingCodes.includes(event.code),
  );
  const vehicle = leg?.vehicle ?? left?.vehicle ?? null;
  return {
    left: placeText(leg?.from ?? left?.location, form.places),
    left_at: timeText(leg?.departure.actual ?? left?.time),
    next: placeText(leg?.to ?? journey.destination, form.places),
    next_eta: timeText(leg?.arrival.estimated ?? leg?.arrival.planned),
    vehicle: shortText(vehicle?.name ?? vehicle?.flight, form.vehicle),
    voyage: form.isDetailed ? shortText(vehicle?.voyage, 40) : null,
  };
}

/** Only what a source reported: never estimated. */
function describePosition(position: VehiclePosition | null, form: Form): Record<string, unknown> | null {
  if (position === null) return null;
  const { lat, lng, at, source, vehicle } = position;
  return {
    lat: Math.round(lat * 10_000) / 10_000,
    lng: Math.round(lng * 10_000) / 10_000,
    at: minuteText(at),
    source: form.isDetailed ? shortText(source, 60) : null,
    vehicle: form.isDetailed ? shortText(vehicle?.name ?? vehicle?.imo ?? vehicle?.flight, form.vehicle) : null,
  };
}

export function describeLeg(leg: Leg, form: Form): Record<string, unknown> {
  return {
    mode: leg.mode,
    from: placeText(leg.from, form.places),
    to: placeText(leg.to, form.places),
    vehicle: shortText(leg.vehicle?.name ?? leg.vehicle?.flight, 60),
    voyage: shortText(leg.vehicle?.voyage, 40),
    departure: describeTimes(leg.departure, form),
    arrival: describeTimes(leg.arrival, form),
  };
}

function staleBecause(tracking: Tracking): string | null {
  if (tracking.freshness === 'never') return 'the carrier has not returned any data yet';
  if (tracking.freshness !== 'stale') return null;
  const reason = staleReasons[tracking.state] ?? 'the last successful refresh is older than scheduled';
  return tracking.reason === null ? reason : `${reason} (${tracking.reason})`;
}
