import type { EventCode } from '#shared/domain/tracking/event.ts';

/** UPS's published numeric package statuses, grouped by meaning. The mapping is ours. */
const numbers: { [code in EventCode]?: readonly number[] } = {
  information_received: [3, 157],
  cancelled: [7, 43],
  picked_up: [38, 160],
  // "Loaded on delivery vehicle": `loaded` is a port move and would make this place the journey's origin.
  in_transit: [72],
  customs_inspection: [12, 92],
  customs_hold: [58, 123, 124, 125, 126],
  customs_released: [14, 84, 134],
  available_for_pickup: [17, 40, 161],
  out_for_delivery: [6, 21, 37, 89, 91, 146, 162],
  delivery_attempted: [22, 23, 24, 60, 61, 62, 66, 145],
  delivered: [11, 26, 143],
  return_started: [33, 35, 36],
  returned: [34, 67],
  delayed: [32, 46, 48, 49, 50, 51, 52, 53, 86, 90],
  exception: [13, 29, 30, 59, 64, 68, 69, 76, 147, 149],
};

const codeOfNumber = new Map(
  Object.entries(numbers).flatMap(([code, list]) => list.map((number) => [number, code as EventCode] as const)),
);

const codeOfType: Readonly<Record<string, EventCode>> = {
  D: 'delivered',
  I: 'in_transit',
  M: 'information_received',
  MV: 'cancelled',
  O: 'out_for_delivery',
  P: 'picked_up',
  RS: 'return_started',
  X: 'exception',
};

/**
 * The fields of an activity's status: `statusCode` is the number, `type` the class, `code` the scan's letters (`DP`,
 * `AR`).
 */
export type UpsStatus = {
  statusCode: string | null;
  type: string | null;
  code: string | null;
  description: string | null;
};

/**
 * The meaning of an activity: by its number, or else by its type, and in transit also by its scan. Unknown ones are
 * kept as `other`.
 */
export function codeOfUps(status: UpsStatus): EventCode {
  const number = /^\d{1,4}$/.test(status.statusCode ?? '') ? Number(status.statusCode) : null;
  const numbered = number === null ? undefined : codeOfNumber.get(number);
  const code = numbered ?? codeOfType[status.type?.toUpperCase() ?? ''] ?? 'other';
  if (code !== 'in_transit' || numbered !== undefined) return code;
  const scan = status.code?.toUpperCase() ?? '';
  const words = status.description?.toLowerCase() ?? '';
  if (scan === 'DP' || /^depart/.test(words)) return 'departed_facility';
  return scan === 'AR' || /^arriv/.test(words) ? 'arrived_at_facility' : code;
}
