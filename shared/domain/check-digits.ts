import type { IdentifierKey } from './shipment.ts';

/** Expected check digit of a container number (ISO 6346: 4 letters, 6 digits, check digit), null for any other shape. */
export function iso6346CheckDigit(container: string): string | null {
  const number = compact(container);
  if (!/^[A-Z]{4}\d{6,7}$/.test(number)) return null;
  let sum = 0;
  for (let place = 0; place < 10; place++) sum += iso6346Value(number.charCodeAt(place)) * 2 ** place;
  return String((sum % 11) % 10);
}

/** Expected last digit of an air waybill (3-digit prefix, 7 digits, check digit = the 7 digits mod 7), null for any other shape. */
export function awbCheckDigit(awb: string): string | null {
  const number = compact(awb);
  if (!/^\d{10,11}$/.test(number)) return null;
  return String(Number(number.slice(3, 10)) % 7);
}

/** Expected last digit of an IMO vessel number (7 digits), null for any other shape. */
export function imoCheckDigit(imo: string): string | null {
  const number = compact(imo).replace(/^IMO/, '');
  if (!/^\d{6,7}$/.test(number)) return null;
  let sum = 0;
  for (let place = 0; place < 6; place++) sum += Number(number[place]) * (7 - place);
  return String(sum % 10);
}

/** Expected last digit of a UPS 1Z number (`1Z`, 15 characters, check digit), null for any other shape. */
export function upsCheckDigit(trackingNumber: string): string | null {
  const number = compact(trackingNumber);
  if (!/^1Z[0-9A-Z]{15}\d?$/.test(number)) return null;
  let sum = 0;
  for (let place = 0; place < 15; place++) {
    const code = number.charCodeAt(place + 2);
    const value = code <= 57 ? code - 48 : (code - 63) % 10;
    sum += place % 2 === 0 ? value : value * 2;
  }
  return String((10 - (sum % 10)) % 10);
}

/**
 * The digit that should have been last, when the number carries a check digit and it does not fit; otherwise null.
 * Published numbers of carriers fail these, so a mismatch is worth a warning and never a refusal. `key` null: judged by shape alone.
 */
export function failedCheckDigit(key: IdentifierKey | null, value: string): string | null {
  const number = compact(value);
  const expected = expectedCheckDigit(key, number);
  return expected === null || number.endsWith(expected) ? null : expected;
}

function expectedCheckDigit(key: IdentifierKey | null, number: string): string | null {
  if ((key === 'container' || key === null) && /^[A-Z]{4}\d{7}$/.test(number)) return iso6346CheckDigit(number);
  if ((key === 'awb' || key === null) && /^\d{11}$/.test(number)) return awbCheckDigit(number);
  if ((key === 'tracking_number' || key === null) && /^1Z[0-9A-Z]{15}\d$/.test(number)) return upsCheckDigit(number);
  return null;
}

/** A is 10, then upwards without the multiples of 11 (11, 22, 33). */
function iso6346Value(charCode: number): number {
  if (charCode <= 57) return charCode - 48;
  const step = charCode - 65 + 10;
  return step + Math.floor((step - 1) / 10);
}

function compact(value: string): string {
  return value.toUpperCase().replace(/[\s-]/g, '');
}
