import type { DetailsResult, Drawing } from '#shared/contract/mcp/details-result.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { instantOf, placeOf, timeOf, windowOf } from '../result-texts.ts';
import { containersOf } from './wire-containers.ts';
import { wireEvents } from './wire-events.ts';
import { legOf, type Texts, timesOf, vehicleOf, voyageLegs } from './wire-legs.ts';

/**
 * A result of `get_shipment_details` as the record that the dashboard draws. What the result does not say is null: the
 * dashboard's parts leave it out.
 */
export function wireShipmentOf(result: DetailsResult, drawing: Drawing): WireShipment {
  const points = drawing.places;
  const place = (text: string | undefined) => placeOf(text, points);
  const containers = containersOf(result);
  const { events, evidenceId, latest } = wireEvents(result, points);
  const arrival = promisedOf(result.arrival, result.eta_kind === 'delivery' ? undefined : result.delay_hours);
  const delivery = promisedOf(result.delivery, result.eta_kind === 'delivery' ? result.delay_hours : undefined);
  const etaOf = result.eta_kind === 'delivery' ? delivery : arrival;
  const etaTime = etaOf.estimated ?? etaOf.planned;
  const isDelivery = result.eta_kind === 'delivery';
  const legs = [result.legs, drawing.legs].find(({ length }) => length > 0) ?? voyageLegs(result);
  const history = drawing.eta_history.length >= result.eta_history.length ? drawing.eta_history : result.eta_history;
  return {
    object: 'shipment',
    test: result.test ?? false,
    service_type: null,
    destination_postal_code: null,
    metadata: {},
    shipment_id: result.shipment_id,
    transport_mode: result.transport_mode ?? '',
    carrier: result.carrier ?? '',
    carrier_name: result.carrier_name ?? drawing.carrier_name ?? result.carrier ?? 'The carrier',
    identifiers: result.identifiers,
    reference: result.reference ?? null,
    tags: result.tags,
    status: result.status,
    status_changed_at: instantOf(result.status_since ?? result.status_evidence?.at),
    status_detail: result.status_detail ?? null,
    status_evidence: result.status_evidence
      ? {
          event_id: evidenceId,
          code: result.status_evidence.code,
          source: result.status_evidence.source ?? 'carrier',
        }
      : null,
    current_location: place(result.current_location),
    origin: place(result.origin),
    destination: place(result.destination),
    departure: timesOf(result.departure),
    arrival: { ...arrival, eta_source: null },
    delivery: {
      ...delivery,
      window: windowOf(result.delivery?.window),
      on_time: result.delivery?.on_time ?? 'unknown',
      attempts: result.delivery?.attempts ?? 0,
      last_attempt_at: timeOf(result.delivery?.last_attempt_at),
      received_by: result.delivery?.received_by ?? null,
      left_at: result.delivery?.left_at ?? null,
      proof: (result.delivery?.proof ?? []).map(proofOf),
    },
    eta: etaTime && { time: etaTime, kind: isDelivery ? 'delivery' : 'arrival', source: 'carrier' },
    eta_history: history.flatMap(({ eta, seen_at: seen, kind }) => {
      const [time, seenAt] = [timeOf(eta), instantOf(seen)];
      const of = kind ?? (isDelivery ? 'delivery' : 'arrival');
      return time === null || seenAt === null ? [] : [{ eta: time, kind: of, seen_at: seenAt, source: 'carrier' }];
    }),
    delay_hours: result.delay_hours ?? null,
    delay_basis: null,
    overdue_hours: result.overdue_hours ?? null,
    late: false,
    service: result.service === undefined ? null : { code: null, name: result.service },
    weight_kg: result.weight_kg ?? null,
    pieces_count: result.pieces_count ?? null,
    free_time: null,
    has_exception: result.exceptions.some(({ resolved_at }) => resolved_at === undefined),
    latest_event: latest,
    created_at: '',
    updated_at: '',
    archived_at: instantOf(result.archived_at),
    version: 1,
    legs: legs.map((leg, index) => legOf(leg, index, points)),
    containers,
    container_status_counts: countsOf(result.container_status_counts, containers),
    pieces: result.pieces.map((piece) => ({
      tracking_number: piece.tracking_number,
      status: piece.status,
      status_detail: piece.status_detail ?? null,
      weight_kg: piece.weight_kg ?? null,
      dimensions_cm: null,
    })),
    piece_status_counts: countsOf(result.piece_status_counts, result.pieces),
    pickup_point: result.pickup_point
      ? {
          kind: result.pickup_point.kind,
          id: result.pickup_point.id ?? null,
          name: result.pickup_point.name ?? null,
          address: result.pickup_point.address ?? null,
          place: place(result.pickup_point.place),
          hours: result.pickup_point.hours ?? null,
          kept_until: timeOf(result.pickup_point.kept_until),
        }
      : null,
    return: result.return
      ? {
          reason: result.return.reason ?? null,
          tracking_number: result.return.tracking_number ?? null,
          to: place(result.return.to),
          started_at: timeOf(result.return.started_at),
          completed_at: timeOf(result.return.completed_at),
        }
      : null,
    exceptions: result.exceptions.map(exceptionOf),
    events_count: result.events_count ?? events.length,
    events,
    current_position: positionOf(result.current_position),
    tracking: null,
    needs_attention: null,
    warnings: [],
    assignee: null,
    notes_count: 0,
    as_of: null,
  };
}

function promisedOf(texts: (Texts & { promised?: string | undefined }) | undefined, delayHours: number | undefined) {
  return {
    ...timesOf(texts),
    original_estimated: null,
    promised: timeOf(texts?.promised),
    delay_hours: delayHours ?? null,
    delay_basis: null,
  };
}

/** Concise results count statuses only where they leave out containers or pieces. */
function countsOf(counts: Record<string, number>, parts: readonly { status: string }[]): Record<string, number> {
  if (Object.keys(counts).length > 0) return counts;
  const counted: Record<string, number> = {};
  for (const { status } of parts) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}

function exceptionOf(
  exception: DetailsResult['exceptions'][number],
  index: number,
): WireShipment['exceptions'][number] {
  const { code, severity, message, since, resolved_at: resolved, piece, container } = exception;
  return {
    code,
    // Concise results leave out the severity.
    severity: severity ?? 'warning',
    message: message ?? code.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase()),
    opened_at: instantOf(since) ?? '',
    resolved_at: instantOf(resolved),
    event_id: `exception ${index}`,
    container: container ?? null,
    piece: piece ?? null,
  };
}

/** Concise results have only the ids of the proofs that can be requested. */
function proofOf(proof: unknown): WireShipment['delivery']['proof'][number] {
  const { id, kind, available } = (typeof proof === 'object' ? (proof ?? {}) : { id: proof }) as Record<
    string,
    unknown
  >;
  const name = typeof id === 'string' ? id : '';
  return { id: name, kind: typeof kind === 'string' ? kind : name, piece: null, available: available !== false };
}

function positionOf(position: DetailsResult['current_position']): WireShipment['current_position'] {
  if (position === undefined) return null;
  const { lat, lng, source, vehicle } = position;
  const at = instantOf(position.at);
  if (at === null) return null;
  return { lat, lng, at, source: source ?? '', vehicle: vehicle === undefined ? null : vehicleOf(vehicle, null) };
}
