import type { Delivery, Journey, PieceState, RecordEvent } from '#shared/domain/shipments/shipment.ts';
import type { Dimensions } from '#shared/domain/tracking/event.ts';
import { describePromised, describeWindow } from './describe-times.ts';
import type { Form } from './detail-forms.ts';
import { placeText, shortText, timeText } from './tool-result.ts';

/** When it comes or came, whether that is on time, and who has it. */
export function describeDelivery({ delivery, eta }: Pick<Journey, 'delivery' | 'eta'>, form: Form) {
  const isExpected = delivery.actual !== null || eta?.kind === 'delivery';
  return {
    ...(form.isBare === true && !isExpected ? {} : describePromised(delivery, form)),
    // A window is about a time to come.
    window: delivery.actual === null || form.isDetailed ? describeWindow(delivery.window) : null,
    on_time: delivery.onTime === 'unknown' ? null : delivery.onTime,
    attempts: delivery.attempts || null,
    last_attempt_at: timeText(delivery.lastAttemptAt),
    received_by: shortText(delivery.receivedBy, form.words),
    left_at: shortText(delivery.leftAt, form.words),
    proof: proofOf(delivery, form),
  };
}

/** Ids of what can be requested; detailed also what it is about. */
function proofOf({ proof }: Delivery, form: Form) {
  const some = proof.slice(0, form.proofs);
  if (!form.isDetailed) return some.filter(({ available }) => available).map(({ id }) => id);
  return some.map(({ id, kind, piece, available }) => ({ id, kind, piece: shortText(piece, 40), available }));
}

/** What is carried: with every piece that has room, and where each was seen last. */
export function describeCargo(journey: Journey, form: Form, events: readonly RecordEvent[]) {
  const { service, pieces } = journey;
  const counts = new Map<string, number>();
  for (const { status } of pieces) counts.set(status, (counts.get(status) ?? 0) + 1);
  const common = [...counts].toSorted(([, left], [, right]) => right - left).slice(0, form.statuses);
  return {
    service: form.isBare === true ? null : shortText(service?.name ?? service?.code, form.words),
    weight_kg: journey.weightKg,
    pieces_count: journey.piecesCount ?? (pieces.length || null),
    piece_status_counts: pieces.length > form.pieces ? Object.fromEntries(common) : null,
    pieces: pieces.slice(0, form.pieces).map((piece) => describePiece(piece, form, events)),
  };
}

/** `at` and `place`: of its own latest event. A piece without one is where the shipment is. */
export function describePiece(piece: PieceState, form: Form, events: readonly RecordEvent[]) {
  const { trackingNumber: number } = piece;
  const last = events.find(
    (event) => event.classifier === 'actual' && event.flags.length === 0 && event.details?.piece === number,
  );
  return {
    tracking_number: shortText(number, form.isBare === true ? 20 : 40),
    status: piece.status,
    status_detail: piece.statusDetail,
    at: timeText(last?.time),
    place: placeText(last?.location, form.places),
    weight_kg: form.isDetailed ? piece.weightKg : null,
    dimensions_cm: form.isDetailed ? dimensionsText(piece.dimensionsCm) : null,
  };
}

function dimensionsText(dimensions: Dimensions | null): string | null {
  return dimensions && [dimensions.length, dimensions.width, dimensions.height].join(' x ');
}

export function describePickupPoint({ pickupPoint: point }: Pick<Journey, 'pickupPoint'>, form: Form) {
  return (
    point && {
      kind: point.kind,
      kept_until: timeText(point.keptUntil),
      id: shortText(point.id, Math.min(form.words, 40)),
      place: placeText(point.place, form.places),
      name: shortText(point.name, form.words),
      address: shortText(point.address, form.words),
      hours: form.isDetailed ? shortText(point.hours, form.words) : null,
    }
  );
}

export function describeReturn({ returned }: Pick<Journey, 'returned'>, form: Form) {
  return (
    returned && {
      started_at: timeText(returned.startedAt),
      completed_at: timeText(returned.completedAt),
      tracking_number: shortText(returned.trackingNumber, form.isBare === true ? 20 : 40),
      to: placeText(returned.to, form.places),
      reason: shortText(returned.reason, form.words),
    }
  );
}
