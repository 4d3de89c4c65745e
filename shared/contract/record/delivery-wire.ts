import type { z } from 'zod';
import type { PickupPoint } from '#shared/domain/events/event.ts';
import { punctualityAt } from '#shared/domain/journey/delivery.ts';
import type { Journey, PieceState, PromisedTimes, ReturnState, TimeTriple } from '#shared/domain/record/shipment.ts';
import type { wireDelivery, wirePickupPoint, wirePiece, wireReturn } from './delivery-parts.ts';
import { toWirePlace, toWireTime, toWireWindow } from './event-wire.ts';
import type { wireArrival } from './record-parts.ts';
import type { wireTimes } from './shipment-parts.ts';

export function toWireTriple(triple: TimeTriple): z.infer<typeof wireTimes> {
  return {
    planned: toWireTime(triple.planned),
    estimated: toWireTime(triple.estimated),
    actual: toWireTime(triple.actual),
  };
}

export function toWireArrival(arrival: PromisedTimes): z.infer<typeof wireArrival> {
  return { ...toWirePromised(arrival), eta_source: arrival.estimated && arrival.source };
}

/** `late`: the shipment is, at the time of reading. */
export function toWireDelivery(
  journey: Pick<Journey, 'delivery' | 'eta'>,
  late: boolean,
): z.infer<typeof wireDelivery> {
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

export function toWirePiece(piece: PieceState): z.infer<typeof wirePiece> {
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

export function toWirePickupPoint(point: PickupPoint | null): z.infer<typeof wirePickupPoint> {
  if (point === null) return null;
  const { kind, id, name, address, place, hours, keptUntil } = point;
  return { kind, id, name, address, place: toWirePlace(place), hours, kept_until: toWireTime(keptUntil) };
}

export function toWireReturn(returned: ReturnState | null): z.infer<typeof wireReturn> {
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
