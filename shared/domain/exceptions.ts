import type { EventCode, TrackingEvent } from './event.ts';
import { compareText, eventTimeMs } from './event-order.ts';
import type { ExceptionCode, ShipmentException } from './shipment.ts';

type ExceptionEvent = Pick<
  TrackingEvent,
  'id' | 'code' | 'time' | 'container' | 'dedupeKey' | 'description' | 'carrierDescription' | 'delayReason'
>;

type ExceptionRule = {
  code: ExceptionCode;
  severity: ShipmentException['severity'];
  message: string;
  openedBy: readonly EventCode[];
  resolvedBy: readonly EventCode[];
};

/** An exception and the container it is about (null: the whole shipment). */
export type OpenedException = ShipmentException & { container: string | null };

const handedOver: readonly EventCode[] = ['delivered', 'gate_in_empty'];
const released: readonly EventCode[] = ['gate_out_full', 'out_for_delivery', ...handedOver];
const movement: readonly EventCode[] = [
  'loaded',
  'departed',
  'in_transit',
  'arrived',
  'discharged',
  'rail_departed',
  'rail_arrived',
  'received_from_flight',
  'arrived_at_facility',
  'departed_facility',
  'available_for_pickup',
  'returned',
  ...released,
];

const exceptionRules: readonly ExceptionRule[] = [
  {
    code: 'customs_hold',
    severity: 'warning',
    message: 'Held by customs',
    openedBy: ['customs_hold'],
    resolvedBy: ['customs_released', ...released],
  },
  {
    code: 'terminal_hold',
    severity: 'warning',
    message: 'Not available for pickup',
    openedBy: ['not_available'],
    resolvedBy: ['available_for_pickup', ...released],
  },
  {
    code: 'delivery_attempt_failed',
    severity: 'warning',
    message: 'Delivery was attempted and failed',
    openedBy: ['delivery_attempted'],
    resolvedBy: ['out_for_delivery', 'available_for_pickup', 'return_started', 'returned', ...handedOver],
  },
  {
    code: 'delayed',
    severity: 'warning',
    message: 'The carrier reports a delay',
    openedBy: ['delayed'],
    resolvedBy: movement,
  },
  {
    code: 'other',
    severity: 'warning',
    message: 'The carrier reports an exception',
    openedBy: ['exception'],
    resolvedBy: movement,
  },
  {
    code: 'other',
    severity: 'critical',
    message: 'The carrier reports the shipment as lost, destroyed or undeliverable',
    openedBy: ['lost', 'destroyed', 'undeliverable'],
    resolvedBy: movement,
  },
];

/**
 * The exception overlay: one entry per episode and container, opened by its first event and resolved by the first later event that ends it.
 * Takes live, eligible, actual events in any order; gives oldest first.
 */
export function findExceptions(events: readonly ExceptionEvent[]): OpenedException[] {
  const found = exceptionRules.flatMap((rule) => episodes(rule, events));
  return found.sort((left, right) => compareText(left.openedAt, right.openedAt) || compareText(left.eventId, right.eventId));
}

function episodes(rule: ExceptionRule, events: readonly ExceptionEvent[]): OpenedException[] {
  const opens = (event: ExceptionEvent) => rule.openedBy.includes(event.code);
  // At one moment the opening event counts first, so that a hold and its release in the same minute end as released.
  const ordered = events
    .filter((event) => opens(event) || rule.resolvedBy.includes(event.code))
    .sort(
      (left, right) =>
        eventTimeMs(left) - eventTimeMs(right) ||
        Number(opens(right)) - Number(opens(left)) ||
        compareText(left.dedupeKey, right.dedupeKey),
    );
  const found: OpenedException[] = [];
  for (const event of ordered) {
    const open = found.filter((exception) => exception.resolvedAt === null);
    if (!opens(event)) {
      for (const exception of open) if (concerns(event, exception)) exception.resolvedAt = event.time.at;
    } else if (!open.some((exception) => exception.container === event.container)) {
      found.push({
        code: rule.code,
        severity: rule.severity,
        message: event.description ?? event.carrierDescription ?? rule.message,
        openedAt: event.time.at,
        resolvedAt: null,
        eventId: event.id,
        container: event.container,
      });
    }
  }
  return found;
}

function concerns(event: ExceptionEvent, exception: OpenedException): boolean {
  return event.container === null || exception.container === null || event.container === exception.container;
}
