import type { Dimensions } from '#shared/domain/events/event.ts';
import { punctualityAt } from '#shared/domain/journey/delivery.ts';
import { countStatuses } from '#shared/domain/journey/part-states.ts';
import type { Delivery, Journey, PieceState, RecordEvent, Shipment } from '#shared/domain/record/shipment.ts';
import { describePromised } from './describe-times.ts';
import type { Form } from './detail-forms.ts';
import { placeText, shortText, timeText, windowText } from './tool-result.ts';

/** When it comes or came, whether that is on time, and who has it. */
export function describeDelivery({ journey, late }: Pick<Shipment, 'journey' | 'late'>, form: Form) {
  const { delivery, eta } = journey;
  const onTime = punctualityAt(journey, late);
  const isExpected = delivery.actual !== null || eta?.kind === 'delivery';
  const window = delivery.actual === null || form.isDetailed ? windowText(delivery.window) : undefined;
  const times = form.isBare === true && !isExpected ? {} : describePromised(delivery, form);
  // The expected time is the end of the window.
  const isInWindow = window !== undefined && delivery.window?.to !== null && !form.isDetailed;
  return {
    ...(isInWindow ? { promised: times.promised } : times),
    window,
    on_time: onTime === 'unknown' ? null : onTime,
    attempts: delivery.attempts || null,
    last_attempt_at: form.isBare === true ? null : timeText(delivery.lastAttemptAt),
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

/** Describes the cargo: every piece that has room, with its last known place. */
export function describeCargo(journey: Journey, form: Form, events: readonly RecordEvent[]) {
  const { service, pieces } = journey;
  const common = Object.entries(countStatuses(pieces)).toSorted(([, left], [, right]) => right - left);
  const some = pieces.length > form.pieces ? rarestFirst(pieces).slice(0, form.pieces) : pieces;
  return {
    service: form.isBare === true ? null : shortText(service?.name ?? service?.code, form.words),
    weight_kg: journey.weightKg,
    pieces_count: journey.piecesCount ?? (pieces.length || null),
    piece_status_counts: pieces.length > form.pieces ? Object.fromEntries(common.slice(0, form.statuses)) : null,
    pieces: some.map((piece) => describePiece(piece, form, events)),
  };
}

/**
 * Orders pieces by how rare their state is, for a response without room for all: the lost one of a hundred comes first.
 */
export function rarestFirst(pieces: readonly PieceState[]): PieceState[] {
  const counts = countStatuses(pieces);
  return pieces.toSorted((left, right) => (counts[left.status] ?? 0) - (counts[right.status] ?? 0));
}

/** `at` and `place`: of its own latest event. A piece without one is where the shipment is. */
export function describePiece(piece: PieceState, form: Form, events: readonly RecordEvent[]) {
  const { trackingNumber: number } = piece;
  const last = events.find(
    (event) => event.classifier === 'actual' && event.flags.length === 0 && event.details?.piece === number,
  );
  return {
    tracking_number: shortText(number, form.pieceNumber),
    status: piece.status,
    status_detail: piece.statusDetail,
    at: form.isPieceTimed ? timeText(last?.time) : null,
    place: form.isBare === true ? null : placeText(last?.location, form.places),
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
      address: form.isBare === true ? null : shortText(point.address, form.words),
      hours: form.isDetailed ? shortText(point.hours, form.words) : null,
    }
  );
}

export function describeReturn({ returned }: Pick<Journey, 'returned'>, form: Form) {
  return (
    returned && {
      started_at: timeText(returned.startedAt),
      completed_at: timeText(returned.completedAt),
      tracking_number: form.isBare === true ? null : shortText(returned.trackingNumber, form.pieceNumber),
      to: placeText(returned.to, form.places),
      reason: shortText(returned.reason, form.words),
    }
  );
}
