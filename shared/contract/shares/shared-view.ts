import type { EventCode } from '#shared/domain/events/event.ts';
import type { Status } from '#shared/domain/record/shipment.ts';
import type { SharePart } from '#shared/domain/shares/share.ts';
import type { WirePlace } from '../record/shipment-parts.ts';
import type { WireShipment } from '../record/shipment-schemas.ts';

type WireTime = NonNullable<WireShipment['departure']['actual']>;

/** Codes that a page names. The others say nothing without the carrier's own text, which may name people. */
export const milestoneCodes = [
  'information_received',
  'booking_confirmed',
  'gate_out_empty',
  'stuffed',
  'received_from_shipper',
  'gate_in_full',
  'manifested',
  'picked_up',
  'loaded',
  'departed',
  'in_transit',
  'arrived',
  'discharged',
  'rail_loaded',
  'rail_departed',
  'rail_arrived',
  'rail_unloaded',
  'received_from_flight',
  'customs_inspection',
  'customs_hold',
  'customs_released',
  'consignee_notified',
  'available_for_pickup',
  'not_available',
  'gate_out_full',
  'arrived_at_facility',
  'departed_facility',
  'out_for_delivery',
  'delivery_attempted',
  'delivered',
  'gate_in_empty',
  'return_started',
  'returned',
  'delayed',
  'cancelled',
  'lost',
  'destroyed',
  'undeliverable',
] as const satisfies readonly EventCode[];
export type MilestoneCode = (typeof milestoneCodes)[number];

export type SharedTime = Pick<WireTime, 'local' | 'precision'>;
/** The name by which the carrier or the catalogue knows the place. */
export type SharedPlace = { name: string; code: string | null; country: string | null };

export type SharedMilestone = {
  code: MilestoneCode;
  /** False: it is planned or expected. */
  isActual: boolean;
  time: SharedTime;
  place: SharedPlace | null;
  /** Vessel or flight. Null unless the owner shows the carrier. */
  vehicle: string | null;
};

/** Everything that a page may show. What is not here can't reach a reader. */
export type SharedView = {
  status: Status;
  origin: SharedPlace | null;
  destination: SharedPlace | null;
  /** The time that the shipment is expected to arrive or be delivered, or did. Null: unknown. */
  end: { kind: 'arrival' | 'delivery'; isActual: boolean; time: SharedTime } | null;
  /** Against the first promise. Null: unknown. */
  delayHours: number | null;
  /** The estimates, oldest first, with the day on which each was made. */
  estimates: { time: SharedTime; seenOn: string }[];
  /** Newest first, then what is expected, soonest first. */
  milestones: SharedMilestone[];
  /** ISO UTC. */
  updatedAt: string;
  identifiers: { name: string; value: string }[];
  containers: string[];
  pieces: string[];
  carrierName: string | null;
  references: readonly string[];
  tags: string[];
  metadata: { name: string; value: string }[];
};

const maxMilestones = 40;
const maxNumbers = 100;
/** Of the estimates, the first and the latest ones. */
const maxEstimates = 8;

/** Returns the parts of a record that a page shows: the journey, and the parts that the owner chose. */
export function sharedViewOf(record: WireShipment, shows: readonly SharePart[]): SharedView {
  const has = (part: SharePart) => shows.includes(part);
  return {
    status: record.status as Status,
    origin: sharedPlace(record.origin),
    destination: sharedPlace(record.destination),
    end: endOf(record),
    delayHours: record.delay_hours,
    estimates: estimatesOf(record),
    milestones: milestonesOf(record, has('carrier')),
    updatedAt: record.updated_at,
    identifiers: has('identifiers') ? namedValues(record.identifiers) : [],
    containers: has('identifiers') ? record.containers.slice(0, maxNumbers).map(({ number }) => number) : [],
    pieces: has('identifiers') ? record.pieces.slice(0, maxNumbers).map((piece) => piece.tracking_number) : [],
    carrierName: has('carrier') ? record.carrier_name : null,
    references: has('reference') ? record.references : [],
    tags: has('tags') ? record.tags : [],
    metadata: has('metadata') ? namedValues(record.metadata) : [],
  };
}

function namedValues(values: Readonly<Record<string, string | null | undefined>>): { name: string; value: string }[] {
  return Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [{ name, value }] : []));
}

function endOf({ eta, arrival, delivery }: WireShipment): SharedView['end'] {
  if (delivery.actual !== null) return { kind: 'delivery', isActual: true, time: sharedTime(delivery.actual) };
  if (arrival.actual !== null && eta?.kind !== 'delivery')
    return { kind: 'arrival', isActual: true, time: sharedTime(arrival.actual) };
  if (eta === null) return null;
  return { kind: eta.kind === 'delivery' ? 'delivery' : 'arrival', isActual: false, time: sharedTime(eta.time) };
}

/** Of the kind that the estimate of today has: an arrival and a delivery are no revisions of each other. */
function estimatesOf({ eta, eta_history: history }: WireShipment): SharedView['estimates'] {
  const kind = eta?.kind ?? history.at(-1)?.kind;
  const ofKind = history.filter((estimate) => estimate.kind === kind);
  const shown = ofKind.length <= maxEstimates ? ofKind : [...ofKind.slice(0, 1), ...ofKind.slice(1 - maxEstimates)];
  return shown.map((estimate) => ({ time: sharedTime(estimate.eta), seenOn: estimate.seen_at.slice(0, 10) }));
}

/** One line for what several containers or pieces did at one place on one day. */
function milestonesOf({ events }: WireShipment, withVehicles: boolean): SharedMilestone[] {
  const seen = new Set<string>();
  const milestones = events.flatMap((event): SharedMilestone[] => {
    const code = milestoneCodes.find((one) => one === event.code);
    if (code === undefined || event.flags.length > 0 || event.superseded_by !== null) return [];
    const isActual = event.classifier === 'actual';
    if (!isActual && event.fulfilled_by !== null) return [];
    const place = sharedPlace(event.location);
    const key = [code, isActual, event.time.local.slice(0, 10), place?.name].join('|');
    if (seen.has(key)) return [];
    seen.add(key);
    const { vehicle } = event;
    return [
      {
        code,
        isActual,
        time: sharedTime(event.time),
        place,
        vehicle: withVehicles ? (vehicle?.name ?? vehicle?.flight ?? null) : null,
      },
    ];
  });
  return milestones.slice(0, maxMilestones);
}

function sharedTime({ local, precision }: WireTime): SharedTime {
  return { local, precision };
}

function sharedPlace(place: WirePlace | null): SharedPlace | null {
  const name = place?.name ?? place?.unlocode ?? place?.iata ?? place?.facility ?? null;
  if (place === null || name === null) return null;
  return { name, code: place.name === null ? null : (place.iata ?? place.unlocode), country: place.country };
}
