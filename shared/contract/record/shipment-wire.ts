import type { ShipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { VehiclePosition } from '#shared/domain/positions/vehicle-position.ts';
import type { Eta, Journey, Leg, Shipment, Status, Tracking, Warning } from '#shared/domain/record/shipment.ts';
import type { JourneyText, StoredRecord } from '#shared/domain/record/stored-record.ts';
import { identifierKeysOf } from '#shared/domain/registration/identifiers.ts';
import { toWireArrival, toWireCargo, toWireDelivery, toWirePieces, toWireTriple } from './delivery-wire.ts';
import { toEventId, toKnownTime, toWireEvent, toWireException, toWirePlace, toWireVehicle } from './event-wire.ts';
import { toWireContainer, toWireFreeTime } from './free-time-wire.ts';
import { toWireAssignee } from './person-wire.ts';
import { toShipmentId } from './shipment-id.ts';
import type { WireShipment, WireSummary } from './shipment-schemas.ts';

/**
 * The full record of a shipment. Every field is always present; unknown values are null. `asOf` (ISO UTC): the journey
 * is that of a moment in the past, which has no tracking.
 */
export function toWireShipment(shipment: Shipment, asOf: string | null = null): WireShipment {
  const { journey } = shipment;
  return {
    ...wireHead({ ...shipment, status: journey.status }),
    ...toWireJourney(journey, shipment.late),
    ...wireTail(shipment, asOf),
  };
}

/** The output of `toWireShipment` as JSON. */
export function toWireShipmentText(record: StoredRecord): string {
  return toTaggedText(record).text;
}

/**
 * The same, with a text that changes whenever the JSON does: all of it except the journey. `version` and `journeyShape`
 * stand for the journey, because every change of it is a new version.
 */
export function toTaggedText(record: StoredRecord): { text: string; tagged: string } {
  const stored = typeof record.journey === 'string' ? record.journey : toJourneyText(record.journey).text;
  const journey = record.late ? asLate(stored) : stored;
  const head = JSON.stringify(wireHead(record)).slice(0, -1);
  const tail = JSON.stringify(wireTail(record, null)).slice(1);
  return { text: `${head},${journey},${tail}`, tagged: `${journeyShape}${head}${tail}` };
}

/** The text of a journey that is overdue by now. No event reports that, so it is not stored. */
function asLate(text: string): string {
  if (!/"on_time":"(on_time|early)"/.test(text)) return text;
  const journey = JSON.parse(`{${text}}`) as ReturnType<typeof toWireJourney>;
  if (journey.eta?.kind === 'delivery' && journey.delivery.actual === null) journey.delivery.on_time = 'late';
  return JSON.stringify(journey).slice(1, -1);
}

/** The `tagged` text of a record that is not read from the store as text. */
export function taggedTextOf(shipment: Shipment): string {
  return toTaggedText({ ...shipment, status: shipment.journey.status }).tagged;
}

/**
 * The format of the stored journey text. Increase it whenever the format changes, so that older texts are no longer
 * used.
 */
export const journeyShape = 4;

/** The last journey that was turned into text: shipments that are registered together share one. */
let last: { journey: Journey; text: string } | null = null;

/** The members of the record that depend on the journey alone, as JSON without the braces. */
export function toJourneyText(journey: Journey): JourneyText {
  if (last?.journey !== journey) last = { journey, text: JSON.stringify(toWireJourney(journey, false)).slice(1, -1) };
  return { text: last.text, shape: journeyShape };
}

/** The members of the record before those of the journey. */
function wireHead(shipment: Omit<Shipment, 'journey'> & { status: Status }) {
  return {
    shipment_id: toShipmentId(shipment.id),
    object: 'shipment' as const,
    test: shipment.test,
    transport_mode: shipment.transportMode,
    service_type: shipment.serviceType,
    carrier: shipment.carrier,
    carrier_name: shipment.carrierName,
    identifiers: toWireIdentifiers(shipment),
    reference: shipment.reference,
    tags: shipment.tags,
    metadata: shipment.metadata,
    destination_postal_code: shipment.destinationPostalCode,
    status: shipment.status,
    status_changed_at: shipment.statusChangedAt,
  };
}

function toWireJourney(journey: Journey, late: boolean) {
  return {
    status_detail: journey.statusDetail,
    status_evidence: toWireEvidence(journey.statusEvidence),
    latest_event: journey.latestEvent && toWireEvent(journey.latestEvent),
    origin: toWirePlace(journey.origin),
    destination: toWirePlace(journey.destination),
    current_location: toWirePlace(journey.currentLocation),
    departure: toWireTriple(journey.departure),
    arrival: toWireArrival(journey.arrival),
    delivery: toWireDelivery(journey, late),
    eta: toWireEta(journey.eta),
    delay_hours: journey.delayHours,
    delay_basis: journey.delayBasis,
    ...toWireCargo(journey),
    eta_history: journey.etaHistory.map((entry) => ({
      eta: toKnownTime(entry.eta),
      kind: entry.kind,
      seen_at: entry.seenAt,
      source: entry.source,
    })),
    legs: journey.legs.map(toWireLeg),
    containers: journey.containers.map(toWireContainer),
    container_status_counts: journey.containerStatusCounts,
    free_time: toWireFreeTime(journey.freeTime),
    ...toWirePieces(journey),
    exceptions: journey.exceptions.map(toWireException),
    has_exception: journey.hasException,
    events_count: journey.eventsCount,
    events: journey.events.map(toWireEvent),
  };
}

/** The members of the record after those of the journey. */
function wireTail(shipment: Omit<Shipment, 'journey'>, asOf: string | null) {
  return {
    overdue_hours: shipment.overdueHours,
    late: shipment.late,
    current_position: asOf === null ? toWirePosition(shipment.currentPosition) : null,
    tracking: asOf === null ? toWireTracking(shipment.tracking) : null,
    needs_attention: asOf === null ? shipment.needsAttention : null,
    warnings: shipment.warnings.map(toWireWarning),
    created_at: shipment.createdAt,
    updated_at: shipment.updatedAt,
    archived_at: shipment.archivedAt,
    assignee: toWireAssignee(shipment.assignee),
    notes_count: shipment.notesCount ?? 0,
    version: shipment.version,
    as_of: asOf,
  };
}

/** The row of a list, also of the snapshot that a change keeps. */
export function toWireSummary(shipment: ShipmentSnapshot): WireSummary {
  const { tracking, journey } = shipment;
  return {
    shipment_id: toShipmentId(shipment.id),
    transport_mode: shipment.transportMode,
    carrier: shipment.carrier,
    carrier_name: shipment.carrierName,
    identifiers: toWireIdentifiers(shipment),
    reference: shipment.reference,
    tags: shipment.tags,
    status: journey.status,
    status_changed_at: shipment.statusChangedAt,
    status_detail: journey.statusDetail,
    origin: toWirePlace(journey.origin),
    destination: toWirePlace(journey.destination),
    departure: toWireTriple(journey.departure),
    arrival: toWireArrival(journey.arrival),
    delivery: toWireDelivery(journey, shipment.late),
    eta: toWireEta(journey.eta),
    delay_hours: journey.delayHours,
    delay_basis: journey.delayBasis,
    ...toWireCargo(journey),
    free_time: toWireFreeTime(journey.freeTime),
    overdue_hours: shipment.overdueHours,
    late: shipment.late,
    has_exception: journey.hasException,
    latest_event: journey.latestEvent && toWireEvent(journey.latestEvent),
    tracking: {
      mode: tracking.mode,
      state: tracking.state,
      reason: tracking.reason,
      freshness: tracking.freshness,
      last_succeeded_at: tracking.lastSucceededAt,
      next_refresh_at: tracking.nextRefreshAt,
    },
    needs_attention: shipment.needsAttention,
    created_at: shipment.createdAt,
    updated_at: shipment.updatedAt,
    archived_at: shipment.archivedAt,
    assignee: toWireAssignee(shipment.assignee),
    notes_count: shipment.notesCount ?? 0,
    version: shipment.version,
  };
}

/** Every identifier of the shipment's transport mode, null where it has none. */
export function toWireIdentifiers(
  shipment: Pick<Shipment, 'transportMode' | 'identifiers'>,
): WireShipment['identifiers'] {
  const keys = new Set([
    ...identifierKeysOf(shipment.transportMode),
    ...(Object.keys(shipment.identifiers) as (keyof Shipment['identifiers'])[]),
  ]);
  return Object.fromEntries([...keys].map((key) => [key, shipment.identifiers[key] ?? null]));
}

export function toWireWarning({ code, field, detail, expected }: Warning): WireShipment['warnings'][number] {
  return { code, field, detail, expected };
}

function toWireEvidence(evidence: Journey['statusEvidence']): WireShipment['status_evidence'] {
  return evidence && { event_id: toEventId(evidence.eventId), code: evidence.code, source: evidence.source };
}

/** The vehicle's latest known position. */
export function toWirePosition(position: VehiclePosition | null): WireShipment['current_position'] {
  return position && { ...position, vehicle: toWireVehicle(position.vehicle) };
}

export function toWireEta(eta: Eta | null): WireShipment['eta'] {
  return eta && { time: toKnownTime(eta.time), kind: eta.kind, source: eta.source };
}

function toWireLeg(leg: Leg): WireShipment['legs'][number] {
  return {
    sequence: leg.sequence,
    mode: leg.mode,
    from: toWirePlace(leg.from),
    to: toWirePlace(leg.to),
    vehicle: toWireVehicle(leg.vehicle),
    departure: toWireTriple(leg.departure),
    arrival: toWireTriple(leg.arrival),
    delay_hours: leg.delayHours,
    delay_basis: leg.delayBasis,
  };
}

function toWireTracking(tracking: Tracking): NonNullable<WireShipment['tracking']> {
  return {
    mode: tracking.mode,
    stale_after_hours: tracking.staleAfterHours,
    state: tracking.state,
    reason: tracking.reason,
    freshness: tracking.freshness,
    source: tracking.source,
    last_refreshed_at: tracking.lastRefreshedAt,
    last_succeeded_at: tracking.lastSucceededAt,
    last_changed_at: tracking.lastChangedAt,
    next_refresh_at: tracking.nextRefreshAt,
    consecutive_failures: tracking.consecutiveFailures,
    trace_id: tracking.traceId,
    trace_kept: tracking.traceKept,
  };
}
