import type { WireEvent } from '#shared/contract/wire-parts.ts';
import { wordOf } from '../../../parts/code-words.ts';

type Told = Pick<WireEvent, 'code' | 'vehicle' | 'description' | 'carrier_description'>;

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
  in_transit: 'On the way',
  consignee_notified: 'Consignee told',
  documents_delivered: 'Documents handed over',
  not_available: 'Not available for pickup',
  exception: 'Exception',
  other: 'Other',
};
/** Events whose own words say more than their code. */
const worded = [
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

/** What happened, as the timeline tells it: `Loaded on Maersk Euphrates`. Longer texts of a carrier stand in `eventDetail`. */
export function eventWords(event: Told): string {
  const carried = event.vehicle?.name ?? event.vehicle?.flight ?? null;
  if (onto.includes(event.code) && carried !== null) return `${wordOf(event.code)} on ${carried}`;
  if (off.includes(event.code) && carried !== null) return `${wordOf(event.code)} from ${carried}`;
  const told = event.description ?? event.carrier_description;
  if (worded.includes(event.code) && told !== null && told.length <= longestTold) return told;
  return short[event.code] ?? wordOf(event.code);
}

const longestTold = 90;

/** Whether this event names trouble. */
export function isTrouble(code: string): boolean {
  return troubles.includes(code);
}

const troubles = [
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

const deepest = 4;
const mostFields = 40;

/** What a carrier said, flattened to names and values: `transportCall.vessel.vesselIMONumber`, `9619921`. Nothing is left out but empty fields. */
export function rawFields(raw: unknown): { fields: { name: string; value: string }[]; left: number } {
  const fields: { name: string; value: string }[] = [];
  collect(raw, '', 0, fields);
  return { fields: fields.slice(0, mostFields), left: Math.max(0, fields.length - mostFields) };
}

function collect(value: unknown, name: string, depth: number, into: { name: string; value: string }[]): void {
  if (value === null || value === undefined || value === '') return;
  if (typeof value !== 'object') {
    into.push({ name, value: String(value) });
    return;
  }
  if (depth >= deepest) {
    into.push({ name, value: JSON.stringify(value) });
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    collect(inner, Array.isArray(value) ? `${name}[${key}]` : name === '' ? key : `${name}.${key}`, depth + 1, into);
  }
}
