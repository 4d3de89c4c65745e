import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import { wordOf } from '../../../parts/words/code-words.ts';
import { detailWords } from '../../../parts/words/detail-words.ts';
import { kindWord, weekdayWords } from '../../../parts/words/free-time-words.ts';
import { holdText } from '../../../parts/words/hold-words.ts';
import { numberLocale } from '../../../parts/words/locale.ts';
import { countWords, pieceNoun } from '../../../parts/words/measure-words.ts';
import { windowWords } from '../../../parts/words/window-words.ts';

type Worded = Pick<WireEvent, 'code' | 'vehicle' | 'description' | 'carrier_description' | 'details'>;

const short: Record<string, string> = {
  information_received: 'Announced to the carrier',
  document_issued: 'Document issued',
  gate_out_empty: 'Gated out empty',
  gate_in_full: 'Gated in full',
  gate_out_full: 'Gated out full',
  gate_in_empty: 'Empty returned',
  received_from_flight: 'Received from the flight',
  received_from_shipper: 'Received from the shipper',
  available_for_pickup: 'Available for pickup',
  in_transit: 'In transit',
  consignee_notified: 'Consignee notified',
  documents_delivered: 'Documents delivered',
  not_available: 'Not available for pickup',
  exception: 'Exception',
  other: 'Other',
  notice: 'Notice',
};
/** Events whose description says more than their code. */
const described = [
  'in_transit',
  'exception',
  'other',
  'delayed',
  'customs_hold',
  'not_available',
  'delivery_attempted',
  'undeliverable',
];
const onto = ['loaded', 'rail_loaded'];
const off = ['discharged', 'rail_unloaded'];

/** The title of an event in the timeline: `Loaded on Maersk Euphrates`. Longer descriptions are in its details. */
export function eventWords(event: Worded): string {
  const carried = event.vehicle?.name ?? event.vehicle?.flight ?? null;
  if (onto.includes(event.code) && carried !== null) return `${wordOf(event.code)} on ${carried}`;
  if (off.includes(event.code) && carried !== null) return `${wordOf(event.code)} from ${carried}`;
  const description = event.description ?? event.carrier_description;
  // Said beside the name, in the same words for all carriers.
  if (event.details?.status_detail != null) return eventName(event.code);
  if (described.includes(event.code) && description !== null && description.length <= maxDescriptionChars)
    return description;
  return eventName(event.code);
}

/**
 * Words for the details of an event: its reason, the expected window, and the share of the shipment that it concerns.
 */
export function aboutWords(
  { code, details }: Pick<WireEvent, 'code' | 'details'>,
  allPieces: number | null,
  now: number,
): string[] {
  if (details === null) return [];
  const { status_detail: detail, window, pieces_count: pieces, uld, holds, last_free_days: days, available } = details;
  const isPart = pieces !== null && allPieces !== null && pieces < allPieces;
  return [
    detail === null || detailWords(detail) === eventName(code) ? '' : detailWords(detail),
    window === null ? '' : windowWords(window, now),
    isPart ? `${pieces.toLocaleString(numberLocale())} of ${countWords(allPieces, pieceNoun)}` : '',
    uld ?? '',
    ...(holds ?? []).map(holdText),
    ...(days ?? []).map((day) => freeDayText(day, now)),
    available === null || code === 'available_for_pickup' || code === 'not_available'
      ? ''
      : available
        ? 'available'
        : 'not available',
  ].filter((part) => part !== '');
}

type StatedDay = NonNullable<NonNullable<WireEvent['details']>['last_free_days']>[number];

/** `demurrage free until Wed 15 Apr, stated by the terminal`. */
export function freeDayText({ by, kind, day }: StatedDay, now: number): string {
  return `${kindWord(kind).toLowerCase()} free until ${weekdayWords(day, now)}, stated by the ${by}`;
}

/** An event code as words. */
export function eventName(code: string): string {
  return short[code] ?? wordOf(code);
}

const maxDescriptionChars = 90;

/** True when the event reports a problem. */
export function isProblem(code: string): boolean {
  return problems.includes(code);
}

const problems = [
  'customs_hold',
  'not_available',
  'delivery_attempted',
  'delayed',
  'lost',
  'destroyed',
  'undeliverable',
  'exception',
  'return_started',
];

const maxDepth = 4;
const maxFields = 40;

/**
 * The carrier's data, flattened to names and values: `transportCall.vessel.vesselIMONumber`, `9619921`. Empty fields
 * are left out.
 */
export function rawFields(raw: unknown): { fields: { name: string; value: string }[]; left: number } {
  const fields: { name: string; value: string }[] = [];
  collect(raw, '', 0, fields);
  return { fields: fields.slice(0, maxFields), left: Math.max(0, fields.length - maxFields) };
}

function collect(value: unknown, name: string, depth: number, into: { name: string; value: string }[]): void {
  if (value === null || value === undefined || value === '') return;
  if (typeof value !== 'object') {
    into.push({ name, value: String(value) });
    return;
  }
  if (depth >= maxDepth) {
    into.push({ name, value: JSON.stringify(value) });
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    collect(inner, Array.isArray(value) ? `${name}[${key}]` : name === '' ? key : `${name}.${key}`, depth + 1, into);
  }
}
