import type { EventCode } from '#shared/domain/events/event.ts';
import { readStatusWords } from '../reading/status-words/read-status-words.ts';
import { type SettledCode, settleCode } from '../reading/status-words/settle-code.ts';

/** UPS's published numeric package statuses, grouped by meaning. The mapping is ours. */
const numbers: { [code in EventCode]?: readonly number[] } = {
  information_received: [3, 44, 45, 157],
  cancelled: [7, 43],
  picked_up: [38, 160],
  // "Loaded on delivery vehicle": `loaded` is a port move and would make this place the journey's origin.
  in_transit: [72],
  customs_inspection: [12, 92],
  customs_hold: [58, 123, 124, 125, 126],
  customs_released: [14, 84, 134],
  available_for_pickup: [17, 40, 144, 161],
  out_for_delivery: [6, 21, 37, 89, 91, 146, 162],
  delivery_attempted: [22, 23, 24, 60, 61, 62, 66, 145],
  delivered: [11, 26, 143],
  return_started: [33, 35, 36],
  returned: [34, 67],
  delayed: [32, 46, 48, 49, 50, 51, 52, 53, 86, 90],
  exception: [13, 29, 30, 59, 64, 65, 68, 69, 76, 147, 149],
  // Changes of a delivery on request.
  other: [18, 19, 20, 27, 28, 41, 42, 54, 55, 56, 63],
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

type Wordings = readonly (readonly [EventCode, RegExp])[];

/**
 * UPS uses one number for papers and for releases, so that in customs its words decide. The first match counts: a
 * notice that speaks of a release to come is a hold.
 */
const customsWords: Wordings = [
  ['customs_inspection', /\bwill notify you if\b|\breceived the (information|documents?) (needed|required)\b/],
  [
    'customs_hold',
    /\b(awaiting|pending) (final |customs )?(release|clearance)\b|\bonce they release\b|\b(held|hold|detained)\b.*\b(customs?|clearance|government|agency)\b|\bto obtain clearance information\b|\bclearance information is (required|needed)\b|\b(information|documents?) (is|are) (needed|required) (for|by|to)\b.*\b(customs?|clear\w*|agency)\b/,
  ],
  [
    'customs_released',
    /\b(released|cleared)\b.*\b(customs?|government|agency|clearance)\b|\b(customs?|government agency|clearance)\b.*\b(released|cleared|completed?)\b/,
  ],
  ['customs_inspection', /\bclearance in progress\b|\b(submitted|preparing your package) for clearance\b/],
];

/** Meanings of the words of a step or a problem without a known number. */
const stepWords: Wordings = [
  ['out_for_delivery', /^out for delivery\b/],
  [
    'delivery_attempted',
    /\b(receiver|recipient|customer) was (not|un)\s?available\b|\b(delivery|to deliver) (was )?attempt|\battempted (delivery|to deliver)\b|\b(first|second|final|third) (delivery )?attempt (was )?made\b/,
  ],
  ['return_started', /\breturn(ed|ing)? to (the )?(sender|shipper)\b/],
  ['delayed', /\bdelay(ed)?\b/],
];

/** Scans of a step in transit, by their letters. AF and OR are handling at a facility. */
const scanCodes: Readonly<Record<string, EventCode>> = {
  DP: 'departed_facility',
  AR: 'arrived_at_facility',
  AF: 'arrived_at_facility',
  OR: 'arrived_at_facility',
};

/**
 * The meaning of an activity: by its words in customs, by its number, or else by its type, and for steps and problems
 * also by its words and scan. A label's number on a parcel that moves is not believed, and neither is a number of customs
 * whose words speak of another step: UPS has such a number in two lists. Unknown ones are kept as `other`.
 */
export function codeOfUps(status: UpsStatus): SettledCode {
  const words = status.description?.toLowerCase() ?? '';
  const type = status.type?.toUpperCase() ?? '';
  const number = /^\d{1,4}$/.test(status.statusCode ?? '') ? Number(status.statusCode) : null;
  const numbered = number === null ? undefined : codeOfNumber.get(number);
  const inCustoms = wordedAs(customsWords, words);
  if (inCustoms !== undefined && isOpen(type, numbered)) return { code: inCustoms, isConflict: false };
  const elsewhere = isOfCustoms(numbered) ? stepElsewhere(words) : null;
  if (elsewhere !== null) return { code: elsewhere, isConflict: true };
  const isBelieved = numbered !== 'information_received' || !movingTypes.includes(type);
  const code = (isBelieved ? numbered : undefined) ?? codeOfType[type] ?? 'other';
  const isKnown = isBelieved && numbered !== undefined;
  const moved = code === 'cancelled' && !isKnown ? stepElsewhere(words) : null;
  if (moved !== null && moved !== 'cancelled' && moved !== 'information_received')
    return { code: moved, isConflict: true };
  if (isKnown || (code !== 'in_transit' && code !== 'exception')) return settleCode(code, words);
  return { code: stepOf(code, words, status.code?.toUpperCase() ?? ''), isConflict: false };
}

/** A step or a problem without a number of its own. */
function stepOf(code: 'in_transit' | 'exception', words: string, letters: string): EventCode {
  const worded = wordedAs(stepWords, words);
  if (worded !== undefined) return worded;
  const read = readStatusWords(words);
  const isTrouble = read !== null && (troubles.includes(read.code) || read.meaning === 'available_for_pickup');
  if (isTrouble) return read.code;
  if (code === 'exception') return code;
  if (/\bdepart/.test(words)) return 'departed_facility';
  if (/\barriv(ed|al)\b/.test(words)) return 'arrived_at_facility';
  return scanCodes[letters] ?? code;
}

/** Codes that a step or a problem may have in words. */
const troubles: readonly EventCode[] = [
  'out_for_delivery',
  'delivery_attempted',
  'return_started',
  'delayed',
  'lost',
  'destroyed',
];

function isOfCustoms(code: EventCode | undefined): boolean {
  return code?.startsWith('customs_') === true;
}

/** The step that the words speak of, if they don't speak of customs. */
function stepElsewhere(words: string): EventCode | null {
  const read = readStatusWords(words);
  return read === null || read.code === 'other' || isOfCustoms(read.code) ? null : read.code;
}

/** Types of a parcel that UPS holds already. */
const movingTypes = ['D', 'I', 'O', 'P', 'RS', 'X'];
/** Meanings that words about customs do not change. */
const settledCodes: readonly (EventCode | undefined)[] = ['delivered', 'returned', 'cancelled', 'out_for_delivery'];

function isOpen(type: string, numbered: EventCode | undefined): boolean {
  return !settledCodes.includes(numbered) && !['D', 'M', 'MV', 'O'].includes(type);
}

function wordedAs(wordings: Wordings, words: string): EventCode | undefined {
  return wordings.find(([, pattern]) => pattern.test(words))?.[0];
}
