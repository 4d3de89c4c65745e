import type { ShipmentChanges } from '#shared/domain/feed/change.ts';
import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import { expectedArrival } from '#shared/domain/shipments/expected-arrival.ts';
import type { Journey, ShipmentException, TrackingReason, TrackingState } from '#shared/domain/shipments/shipment.ts';
import type { CarrierTime } from '#shared/domain/tracking/event.ts';

/** One kind of visible change with the old and new values of the fields it is about. */
export type VisibleChange = { type: ChangeType; changes: ShipmentChanges };

type TrackingNow = { state: TrackingState; reason: TrackingReason | null };

// A smaller slip on the same local date is not worth waking anyone.
const etaChangeMs = 6 * 3600 * 1000;

/** What a client would see change between two journeys and tracking states, in the order in which the feed tells it. */
export function findVisibleChanges(
  before: { journey: Journey; tracking: TrackingNow },
  after: { journey: Journey; tracking: TrackingNow },
): VisibleChange[] {
  const [old, now] = [before.journey, after.journey];
  const found: VisibleChange[] = [];
  if (old.eventsCount !== now.eventsCount)
    found.push({ type: 'shipment.event_added', changes: { eventsCount: [old.eventsCount, now.eventsCount] } });

  const known = new Set(old.containers.map((container) => container.number));
  const added = now.containers.filter((container) => !known.has(container.number)).map((container) => container.number);
  if (added.length > 0)
    found.push({ type: 'shipment.container_added', changes: { containers: [[...known], [...known, ...added]] } });

  if (old.status !== now.status)
    found.push({ type: 'shipment.status_changed', changes: { status: [old.status, now.status] } });
  const [oldEta, newEta] = [expectedArrival(old), expectedArrival(now)];
  if (isEtaChange(oldEta, newEta)) found.push({ type: 'shipment.eta_changed', changes: { eta: [oldEta, newEta] } });

  found.push(...findExceptionChanges(old, now));

  if (old.status !== 'delivered' && now.status === 'delivered')
    found.push({ type: 'shipment.delivered', changes: { status: [old.status, now.status] } });
  if (before.tracking.state !== after.tracking.state || before.tracking.reason !== after.tracking.reason) {
    found.push({
      type: 'shipment.tracking_state_changed',
      changes: {
        trackingState: [before.tracking.state, after.tracking.state],
        trackingReason: [before.tracking.reason, after.tracking.reason],
      },
    });
  }
  return found;
}

function isEtaChange(before: CarrierTime | null, after: CarrierTime | null): boolean {
  if (before === null || after === null) return before !== after;
  return (
    before.local.slice(0, 10) !== after.local.slice(0, 10) ||
    Math.abs(Date.parse(before.at) - Date.parse(after.at)) >= etaChangeMs
  );
}

/** An exception whose event was replaced goes on under the new event: that is neither an opening nor an end. */
function findExceptionChanges(old: Journey, now: Journey): VisibleChange[] {
  const wasOpen = openExceptions(old);
  const isOpen = openExceptions(now);
  const all = new Map(now.exceptions.map((exception) => [keyOf(exception), exception]));
  const replaced = [...wasOpen].filter(([key]) => !all.has(key)).map(([, exception]) => exception);
  const found: VisibleChange[] = [];
  for (const [key, exception] of isOpen) {
    if (wasOpen.has(key)) continue;
    const before = replaced.findIndex((candidate) => candidate.code === exception.code);
    if (before >= 0) replaced.splice(before, 1);
    else found.push({ type: 'shipment.exception_opened', changes: { exception: [null, exception] } });
  }
  for (const [key, exception] of wasOpen) {
    const after = all.get(key);
    if (after !== undefined && after.resolvedAt !== null)
      found.push({ type: 'shipment.exception_resolved', changes: { exception: [exception, after] } });
  }
  for (const exception of replaced)
    found.push({ type: 'shipment.exception_resolved', changes: { exception: [exception, null] } });
  return found;
}

function openExceptions(journey: Journey): Map<string, ShipmentException> {
  const open = journey.exceptions.filter((exception) => exception.resolvedAt === null);
  return new Map(open.map((exception) => [keyOf(exception), exception]));
}

function keyOf(exception: ShipmentException): string {
  return `${exception.code} ${exception.eventId}`;
}
