import { statedCause } from '../events/delay-reasons.ts';
import type { EventCode, TrackingEvent } from '../events/event.ts';
import { compareText, eventTimeMs } from '../events/event-order.ts';
import { isRelated, isSameSubject, subjectOf } from '../events/event-subject.ts';
import type { HoldType, StatedHold } from '../events/stated-free-time.ts';
import { isTakenBack, wordedCode } from './event-words.ts';
import type { ExceptionCode, ShipmentException } from './shipment.ts';

type ExceptionEvent = Pick<
  TrackingEvent,
  'id' | 'code' | 'time' | 'container' | 'details' | 'dedupeKey' | 'description' | 'carrierDescription' | 'delayReason'
>;

type ExceptionKind = {
  code: ExceptionCode;
  severity: ShipmentException['severity'];
  message: string;
  resolvedBy: readonly EventCode[];
};

const handedOver: readonly EventCode[] = ['delivered', 'gate_in_empty'];
/** Events that show that a container has left the terminal: whatever held it there is over. */
export const released: readonly EventCode[] = ['gate_out_full', 'out_for_delivery', ...handedOver];
const collectable: readonly EventCode[] = ['available_for_pickup', ...released];
const triedAgain: readonly EventCode[] = [
  'out_for_delivery',
  'available_for_pickup',
  'return_started',
  'returned',
  ...handedOver,
];
/** Events that show that the cargo has moved on. */
export const movementCodes: readonly EventCode[] = [
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

const kinds = {
  customs_hold: { message: 'Held by customs', resolvedBy: ['customs_released', ...released] },
  carrier_hold: { message: 'Held by the carrier', resolvedBy: collectable },
  terminal_hold: { message: 'Not available for pickup', resolvedBy: collectable },
  freight_hold: { message: 'Held until the freight charges are paid', resolvedBy: collectable },
  delivery_attempt_failed: { message: 'A delivery attempt failed', resolvedBy: triedAgain },
  address_problem: { message: 'The address is wrong or incomplete', resolvedBy: triedAgain },
  damaged: { message: 'The carrier reported damage', severity: 'critical', resolvedBy: ['returned', ...handedOver] },
  delayed: { message: 'The carrier reported a delay', resolvedBy: movementCodes },
  rolled: { message: 'Left behind for a later departure', resolvedBy: movementCodes },
  misrouted: { message: 'Misrouted', resolvedBy: movementCodes },
  weather: { message: 'Delayed by weather', resolvedBy: movementCodes },
  // No event opens it: see `free-time-exceptions.ts`.
  last_free_day_near: { message: 'The last free day is near', resolvedBy: [] },
  last_free_day_passed: { message: 'The last free day has passed', severity: 'critical', resolvedBy: released },
  other: { message: 'The carrier reported an exception', resolvedBy: movementCodes },
} satisfies Record<
  ExceptionCode,
  { message: string; severity?: ShipmentException['severity']; resolvedBy: readonly EventCode[] }
>;

const exceptionKinds: readonly ExceptionKind[] = Object.entries(kinds).map(([code, kind]) => ({
  severity: 'warning',
  ...kind,
  code: code as ExceptionCode,
}));
const lossKind: ExceptionKind = {
  code: 'other',
  severity: 'critical',
  message: 'Reported as lost, destroyed or undeliverable',
  resolvedBy: movementCodes,
};

/** The exception of an event whose carrier text gives no details. */
const plainMeanings: { [code in EventCode]?: ExceptionCode } = {
  customs_hold: 'customs_hold',
  not_available: 'terminal_hold',
  delivery_attempted: 'delivery_attempt_failed',
  delayed: 'delayed',
  exception: 'other',
};
const lossCodes: readonly EventCode[] = ['lost', 'destroyed', 'undeliverable'];
/** The exception that a hold opens. */
const holdCodes: Record<HoldType, ExceptionCode> = {
  customs: 'customs_hold',
  freight: 'freight_hold',
  terminal: 'terminal_hold',
  agriculture: 'terminal_hold',
  exam: 'terminal_hold',
  line: 'carrier_hold',
  other: 'terminal_hold',
};
const typesOfCodes: { [code in ExceptionCode]?: HoldType } = {
  customs_hold: 'customs',
  freight_hold: 'freight',
  terminal_hold: 'terminal',
  carrier_hold: 'line',
};

/**
 * The holds that an event states: as data, with its code, or in its words. `isWorded`: a container that is available
 * has been released from it, because words seldom report a release.
 */
export function statedHoldsOf(event: ExceptionEvent): (StatedHold & { isWorded?: boolean })[] {
  const stated = event.details?.holds ?? [];
  if (event.code === 'customs_hold') return [{ type: 'customs', status: 'active' }, ...stated];
  if (event.code === 'customs_released') return [{ type: 'customs', status: 'released' }, ...stated];
  const worded = wordedCode(event);
  const type = worded === null ? undefined : typesOfCodes[worded];
  if (type === undefined) return stated;
  return [{ type, status: isTakenBack(event) ? 'released' : 'active', isWorded: true }, ...stated];
}

/**
 * The exceptions of a shipment: one per episode and subject, opened by its first event and resolved by the first
 * later event that ends it. Takes live, eligible, actual events in any order. Returns oldest first.
 */
export function findExceptions(events: readonly ExceptionEvent[]): ShipmentException[] {
  return [...exceptionKinds, lossKind].flatMap((kind) => episodes(kind, events)).sort(compareExceptions);
}

/** Oldest first. */
export function compareExceptions(left: ShipmentException, right: ShipmentException): number {
  return (
    compareText(left.openedAt, right.openedAt) ||
    compareText(left.eventId ?? '', right.eventId ?? '') ||
    compareText(left.code, right.code) ||
    compareText(left.container ?? '', right.container ?? '')
  );
}

/** The exception that an event opens: by the carrier's text if the event reports trouble, otherwise by its code. */
function kindOpenedBy(event: ExceptionEvent): ExceptionKind | null {
  const worded = wordedCode(event);
  const code = worded !== null && !isTakenBack(event) ? worded : plainMeanings[event.code];
  if (code === undefined || (code === 'other' && isTakenBack(event)))
    return lossCodes.includes(event.code) ? lossKind : null;
  return exceptionKinds.find((kind) => kind.code === code) ?? null;
}

/** Reason that keeps an exception open: a hold, or '' for an exception without one. */
type Reason = HoldType | '';
/** `isStated`: the hold was stated as data, so its release will be, too. */
type Opening = { reason: Reason; isStated: boolean; message: string | null };

function openingsOf(event: ExceptionEvent, kind: ExceptionKind): Opening[] {
  const openings: Opening[] = [];
  if (kindOpenedBy(event) === kind)
    openings.push({ reason: typesOfCodes[kind.code] ?? '', isStated: false, message: null });
  for (const { type, status, detail } of event.details?.holds ?? [])
    if (status === 'active' && holdCodes[type] === kind.code)
      openings.push({ reason: type, isStated: true, message: detail ?? null });
  return openings;
}

/** True when the event ends the reason that keeps an exception of this kind open. */
function endsReason(event: ExceptionEvent, kind: ExceptionKind, { reason, isStated }: Opening): boolean {
  if (event.details?.holds?.some(({ type, status }) => type === reason && status === 'released')) return true;
  if (wordedCode(event) === kind.code && isTakenBack(event)) return true;
  if (!kind.resolvedBy.includes(event.code)) return false;
  return !isStated || released.includes(event.code) || event.code === 'customs_released';
}

function isResolution(event: ExceptionEvent, kind: ExceptionKind): boolean {
  return (
    kind.resolvedBy.includes(event.code) ||
    wordedCode(event) === kind.code ||
    (event.details?.holds ?? []).some(({ type }) => holdCodes[type] === kind.code)
  );
}

function episodes(kind: ExceptionKind, events: readonly ExceptionEvent[]): ShipmentException[] {
  const openings = new Map<ExceptionEvent, Opening[]>();
  for (const event of events) {
    const opened = openingsOf(event, kind);
    if (opened.length > 0) openings.set(event, opened);
  }
  if (openings.size === 0) return [];
  // At the same time the opening event counts first, so that a hold and its release in one minute end as released.
  const ordered = events
    .filter((event) => openings.has(event) || isResolution(event, kind))
    .sort(
      (left, right) =>
        eventTimeMs(left) - eventTimeMs(right) ||
        Number(openings.has(right)) - Number(openings.has(left)) ||
        compareText(left.dedupeKey, right.dedupeKey),
    );
  const found: { exception: ShipmentException; reasons: Opening[] }[] = [];
  for (const event of ordered) {
    const opened = openings.get(event) ?? [];
    const subject = subjectOf(event);
    const open = found.filter(({ exception }) => exception.resolvedAt === null);
    const own = open.find(({ exception }) => isSameSubject(subject, exception));
    const [first] = opened;
    if (first === undefined) {
      for (const entry of open) {
        if (!isRelated(subject, entry.exception)) continue;
        entry.reasons = entry.reasons.filter((reason) => !endsReason(event, kind, reason));
        if (entry.reasons.length === 0) entry.exception.resolvedAt = event.time.at;
      }
    } else if (own !== undefined) {
      own.reasons = [...own.reasons.filter((reason) => !endsReason(event, kind, reason)), ...opened];
    } else {
      found.push({
        reasons: opened,
        exception: {
          code: kind.code,
          severity: kind.severity,
          message: first.message ?? event.description ?? event.carrierDescription ?? kind.message,
          openedAt: event.time.at,
          resolvedAt: null,
          eventId: event.id,
          ...(event.delayReason !== null && { cause: statedCause(event.delayReason) }),
          ...subject,
        },
      });
    }
  }
  return found.map(({ exception }) => exception);
}
