import { crc32 } from '../crc32.ts';
import type { ShipmentSort } from './filter.ts';

/**
 * Start of the next page of a list. `value`: the last row's sort key, as `ListPosition` of the store has it; null for
 * rows without it. `id` null: at the beginning. `shown`: marks of shipments that the first page has put first.
 */
export type ListPlace = { value: string | null; id: string | null; asOf: string; shown: readonly number[] };

/** Shipments that the first page may put first. */
export const maxShownFirst = 3;

/** Recognizes a shipment that was shown first. Two shipments share a mark once in four billion pairs. */
export function markOf(id: string): number {
  return crc32(id);
}

/**
 * Encodes a place as opaque text, bound to the text of its filter and sort. It is neither secret nor signed: treat a
 * decoded place as input, never as permission. Agents pay for each token of a cursor and have to repeat it exactly:
 * digits cost a third of what the bytes in base64 do, and the letter keeps them from being taken for a number.
 */
export function encodeListCursor(place: ListPlace, { sort, boundTo }: { sort: ShipmentSort; boundTo: string }): string {
  const { value, id, asOf, shown } = place;
  const flags = (value === null ? 0 : 1) + (id === null ? 0 : 2) + shown.length * 4;
  const body = [
    hex(flags, 1),
    value === null ? '' : hex(toNumber(value, sort) + offset, 7),
    id === null ? '' : id.replaceAll('-', ''),
    hex(Date.parse(asOf), 6),
    ...shown.map((mark) => hex(mark, 4)),
  ].join('');
  // A leading one keeps leading zeros.
  return `c${BigInt(`0x1${body}${bindingOf(body, boundTo)}`)}`;
}

/** Decodes a place. Null: the text isn't a cursor, was altered, or belongs to another filter or sort. */
export function decodeListCursor(
  cursor: string,
  { sort, boundTo }: { sort: ShipmentSort; boundTo: string },
): ListPlace | null {
  if (!/^c[1-9]\d{0,119}$/.test(cursor)) return null;
  const text = BigInt(cursor.slice(1)).toString(16);
  const [body, binding] = [text.slice(1, -8), text.slice(-8)];
  if (text[0] !== '1' || body.length % 2 !== 0 || binding !== bindingOf(body, boundTo)) return null;
  const flags = Number.parseInt(body.slice(0, 2), 16);
  const [hasValue, hasId, count] = [(flags & 1) === 1, (flags & 2) === 2, flags >> 2];
  const lengths = [2, hasValue ? 14 : 0, hasId ? 32 : 0, 12, ...Array.from({ length: count }, () => 8)];
  if (count > maxShownFirst || body.length !== lengths.reduce((sum, length) => sum + length, 0)) return null;
  const parts = lengths.map((length, place) => {
    const from = lengths.slice(0, place).reduce((sum, one) => sum + one, 0);
    return body.slice(from, from + length);
  });
  const [, value = '', id = '', asOf = '', ...shown] = parts;
  const asOfText = toInstant(Number.parseInt(asOf, 16));
  const valueText = hasValue ? toText(Number.parseInt(value, 16) - offset, sort) : null;
  if (asOfText === null || (hasValue && valueText === null)) return null;
  return {
    value: valueText,
    id: hasId ? id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null,
    asOf: asOfText,
    shown: shown.map((mark) => Number.parseInt(mark, 16)),
  };
}

/** Keeps values before 1970 and early arrivals above zero. */
const offset = 2 ** 50;

function toNumber(value: string, sort: ShipmentSort): number {
  return sort.endsWith('delay_hours') ? Number(value) : Date.parse(value);
}

function toText(number: number, sort: ShipmentSort): string | null {
  if (sort.endsWith('delay_hours')) return Math.abs(number) < 1e9 ? String(number) : null;
  const instant = toInstant(number);
  return sort.endsWith('last_free_day') ? (instant?.slice(0, 10) ?? null) : instant;
}

/** ISO UTC. Null outside the years 0 to 9999, where the text has another form. */
function toInstant(ms: number): string | null {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return null;
  const text = date.toISOString();
  return text.length === 24 ? text : null;
}

function hex(number: number, bytes: number): string {
  return number.toString(16).padStart(bytes * 2, '0');
}

function bindingOf(body: string, boundTo: string): string {
  return hex(crc32(JSON.stringify([boundTo, body])), 4);
}
