import { toShipmentId } from '#shared/contract/shipment-wire.ts';
import type { ContainerState, Leg, RecordEvent, Shipment, TimeTriple, Tracking } from '#shared/domain/shipment.ts';
import { cleanText, minuteText, placeText, timeText } from './tool-result.ts';

export type ResponseFormat = 'concise' | 'detailed';

const limits = {
  concise: { events: 5, containers: 3, legs: 0, exceptions: 3 },
  detailed: { events: 100, containers: 1000, legs: 50, exceptions: 50 },
} as const;

const staleReasons: Partial<Record<Tracking['state'], string>> = {
  degraded: 'the carrier has not answered as it should for some time',
  failed: 'tracking ended without an answer from the carrier',
  stopped: 'tracking was stopped',
};

/** The record shaped for reading: where it is and why we say so first, texts of strangers last. */
export function describeShipment(shipment: Shipment, format: ResponseFormat): Record<string, unknown> {
  const { journey, tracking } = shipment;
  const limit = limits[format];
  const evidence = journey.events.find((event) => event.id === journey.statusEvidence?.eventId);
  return {
    shipment_id: toShipmentId(shipment.id),
    test: shipment.test || null,
    status: journey.status,
    status_since: minuteText(shipment.statusChangedAt),
    status_evidence: journey.statusEvidence && {
      code: journey.statusEvidence.code,
      at: timeText(evidence?.time),
      place: placeText(evidence?.location),
      source: journey.statusEvidence.source,
    },
    transport_mode: shipment.transportMode,
    carrier: shipment.carrier,
    carrier_name: shipment.carrierName,
    identifiers: shipment.identifiers,
    reference: shipment.reference,
    tags: format === 'detailed' ? shipment.tags : null,
    current_location: placeText(journey.currentLocation),
    origin: placeText(journey.origin),
    destination: placeText(journey.destination),
    departure: describeTimes(journey.departure),
    arrival: { ...describeTimes(journey.arrival), original_estimated: timeText(journey.arrival.originalEstimated) },
    delay_hours: journey.arrival.delayHours,
    delivery: { estimated: timeText(journey.delivery.estimated), actual: timeText(journey.delivery.actual) },
    exceptions: journey.exceptions
      .filter((exception) => format === 'detailed' || exception.resolvedAt === null)
      .slice(0, limit.exceptions)
      .map((exception) => ({
        code: exception.code,
        severity: exception.severity,
        opened_at: minuteText(exception.openedAt),
        resolved_at: minuteText(exception.resolvedAt),
        message: cleanText(exception.message),
      })),
    legs: journey.legs.slice(0, limit.legs).map(describeLeg),
    containers_count: journey.containers.length || null,
    container_status_counts: journey.containers.length > limit.containers ? journey.containerStatusCounts : null,
    containers: journey.containers.slice(0, limit.containers).map((container) => describeContainer(container, format)),
    events_count: journey.eventsCount,
    events: journey.events.slice(0, limit.events).map((event) => describeEvent(event, format)),
    tracking: {
      state: tracking.state,
      reason: tracking.reason,
      freshness: tracking.freshness,
      source: tracking.source,
      next_check_at: minuteText(tracking.nextCheckAt),
    },
    warnings: shipment.warnings.map((warning) => warning.detail),
    data_as_of: minuteText(tracking.lastSucceededAt),
    stale_because: staleBecause(tracking),
  };
}

function describeTimes(times: TimeTriple): Record<string, string | undefined> {
  return { planned: timeText(times.planned), estimated: timeText(times.estimated), actual: timeText(times.actual) };
}

function describeLeg(leg: Leg): Record<string, unknown> {
  return {
    mode: leg.mode,
    from: placeText(leg.from),
    to: placeText(leg.to),
    vehicle: cleanText(leg.vehicle?.name ?? leg.vehicle?.flight),
    voyage: cleanText(leg.vehicle?.voyage),
    departure: describeTimes(leg.departure),
    arrival: describeTimes(leg.arrival),
  };
}

function describeContainer(container: ContainerState, format: ResponseFormat): Record<string, unknown> {
  const brief = {
    number: cleanText(container.number),
    status: container.status,
    holds: container.holds,
    last_free_day: container.lastFreeDay,
  };
  return format === 'concise' ? brief : { ...brief, iso_type: container.isoType, seals: container.seals.map(cleanText) };
}

function describeEvent(event: RecordEvent, format: ResponseFormat): Record<string, unknown> {
  const brief = {
    at: timeText(event.time),
    code: event.code,
    classifier: event.classifier === 'actual' ? null : event.classifier,
    place: placeText(event.location),
    container: cleanText(event.container),
  };
  if (format === 'concise') return brief;
  return {
    ...brief,
    vehicle: cleanText(event.vehicle?.name ?? event.vehicle?.flight),
    flags: event.flags,
    source: event.source === 'carrier' ? null : event.source,
    description: cleanText(event.description ?? event.carrierDescription),
  };
}

function staleBecause(tracking: Tracking): string | null {
  if (tracking.freshness === 'never') return 'the carrier has not given any data yet';
  if (tracking.freshness !== 'stale') return null;
  const reason = staleReasons[tracking.state] ?? 'the last successful look at the carrier is older than planned';
  return tracking.reason === null ? reason : `${reason} (${tracking.reason})`;
}
