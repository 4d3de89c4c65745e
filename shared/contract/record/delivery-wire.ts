import type { PickupPoint } from '#shared/domain/events/event.ts';
import { punctualityAt } from '#shared/domain/journey/delivery.ts';
import { countStatuses } from '#shared/domain/journey/part-states.ts';
import type { Journey, PieceState, PromisedTimes, ReturnState, TimeTriple } from '#shared/domain/record/shipment.ts';
import { toWirePlace, toWireTime, toWireWindow } from './event-wire.ts';
import type { WireShipment } from './shipment-schemas.ts';

export function toWireTriple(triple: TimeTriple): WireShipment['departure'] {
  return {
    planned: toWireTime(triple.planned),
    estimated: toWireTime(triple.estimated),
    actual: toWireTime(triple.actual),
  };
}

export function toWireArrival(arrival: PromisedTimes): WireShipment['arrival'] {
  return { ...toWirePromised(arrival), eta_source: arrival.estimated && arrival.source };
}

/** `late`: the shipment is, at the time of reading. */
export function toWireDelivery(journey: Pick<Journey, 'delivery' | 'eta'>, late: boolean): WireShipment['delivery'] {
  const { delivery } = journey;
  return {
    ...toWirePromised(delivery),
    window: toWireWindow(delivery.window),
    on_time: punctualityAt(journey, late),
    attempts: delivery.attempts,
    last_attempt_at: toWireTime(delivery.lastAttemptAt),
    received_by: delivery.receivedBy,
    left_at: delivery.leftAt,
    proof: delivery.proof.map(({ id, kind, piece, available }) => ({ id, kind, piece, available })),
  };
}

function toWirePromised(times: PromisedTimes) {
  return {
    ...toWireTriple(times),
    original_estimated: toWireTime(times.originalEstimated),
    promised: toWireTime(times.promised),
    delay_hours: times.delayHours,
    delay_basis: times.delayBasis,
  };
}

export function toWireCargo({ service, weightKg, piecesCount }: Pick<Journey, 'service' | 'weightKg' | 'piecesCount'>) {
  return {
    service: service && { code: service.code, name: service.name },
    weight_kg: weightKg,
    pieces_count: piecesCount,
  };
}

/** The parts of the record that only shipments of several pieces, to a pickup point, or on their way back have. */
export function toWirePieces({ pieces, pickupPoint, returned }: Pick<Journey, 'pieces' | 'pickupPoint' | 'returned'>) {
  return {
    pieces: pieces.map(toWirePiece),
    piece_status_counts: countStatuses(pieces),
    pickup_point: toWirePickupPoint(pickupPoint),
    return: toWireReturn(returned),
  };
}

function toWirePiece(piece: PieceState): WireShipment['pieces'][number] {
  const { trackingNumber, status, statusDetail, weightKg, dimensionsCm } = piece;
  return {
    tracking_number: trackingNumber,
    status,
    status_detail: statusDetail,
    weight_kg: weightKg,
    dimensions_cm: dimensionsCm && {
      length: dimensionsCm.length,
      width: dimensionsCm.width,
      height: dimensionsCm.height,
    },
  };
}

function toWirePickupPoint(point: PickupPoint | null): WireShipment['pickup_point'] {
  if (point === null) return null;
  const { kind, id, name, address, place, hours, keptUntil } = point;
  return { kind, id, name, address, place: toWirePlace(place), hours, kept_until: toWireTime(keptUntil) };
}

function toWireReturn(returned: ReturnState | null): WireShipment['return'] {
  return (
    returned && {
      reason: returned.reason,
      tracking_number: returned.trackingNumber,
      to: toWirePlace(returned.to),
      started_at: toWireTime(returned.startedAt),
      completed_at: toWireTime(returned.completedAt),
    }
  );
}
