import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';

/** A value that a carrier states, or null if it states none. What could not be read is set aside with its reason. */
export type Measured<Value> = { value: Value | null; unreadable: UnreadableEvent[] };

export function notStated<Value>(): Measured<Value> {
  return { value: null, unreadable: [] };
}

export function unreadable<Value>(raw: unknown, reason: string): Measured<Value> {
  return { value: null, unreadable: [{ raw, reason }] };
}

/**
 * A number as carriers write it, and the unit behind it: `12.5`, `12,5 KGM`, `1,234.5`. A comma before exactly three
 * digits could be a decimal comma or a separator of thousands: such a number is ambiguous.
 */
export function readNumber(written: string): { amount: number; unit: string | null } | { reason: string } {
  const match = /^([+-]?[\d.,]{1,20})\s*([A-Z]{1,8})?\.?$/i.exec(written.trim());
  if (match === null) return { reason: 'is not a number' };
  const [, digits = '', unit = null] = match;
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(digits)) return { reason: 'is ambiguous' };
  const plain = plainDigits(digits);
  return plain === null ? { reason: 'is not a number' } : { amount: Number(plain), unit: unit?.toUpperCase() ?? null };
}

/** The same number with a decimal point and without separators. */
function plainDigits(digits: string): string | null {
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(digits)) return digits;
  if (/^[+-]?\d+,\d+$/.test(digits)) return digits.replace(',', '.');
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)) return digits.replaceAll(',', '');
  if (/^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(digits)) return digits.replaceAll('.', '').replace(',', '.');
  return null;
}
