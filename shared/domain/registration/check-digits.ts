import type { IdentifierKey } from '../record/shipment.ts';

/**
 * The expected check digit of a container number (ISO 6346: 4 letters, 6 digits, check digit). Null: any other shape.
 * Misses a mistake that turns the remainder 10 into 0 or back (both give the digit 0), and a letter replaced by another
 * whose value differs by 11 (A, K and U). Source: ISO 6346:2022 and https://www.bic-code.org/check-digit-calculator/.
 */
export function iso6346CheckDigit(container: string): string | null {
  const number = compact(container);
  if (!/^[A-Z]{4}\d{6,7}$/.test(number)) return null;
  let sum = 0;
  for (let place = 0; place < 10; place++) sum += iso6346Value(number.charCodeAt(place)) * 2 ** place;
  return String((sum % 11) % 10);
}

/**
 * The expected last digit of an air waybill (3-digit prefix, 7 digits, check digit = the 7 digits mod 7). Null: any
 * other shape. Misses mistakes in the prefix, and digits that differ by 7 (0 and 7, 1 and 8, 2 and 9). Source: IATA
 * Resolution 600a.
 */
export function awbCheckDigit(awb: string): string | null {
  const number = compact(awb);
  if (!/^\d{10,11}$/.test(number)) return null;
  return String(Number(number.slice(3, 10)) % 7);
}

/**
 * The expected last digit of an IMO vessel number (7 digits). Null: any other shape. Source: IMO Resolution A.1117(30).
 */
export function imoCheckDigit(imo: string): string | null {
  const number = compact(imo).replace(/^IMO/, '');
  if (!/^\d{6,7}$/.test(number)) return null;
  let sum = 0;
  for (let place = 0; place < 6; place++) sum += Number(number[place]) * (7 - place);
  return String(sum % 10);
}

/**
 * The expected last digit of a UPS 1Z number (`1Z`, 15 characters, check digit). Null: any other shape. In the doubled
 * positions two digits that differ by 5 count alike, and so do letters that share a value. Source:
 * https://github.com/jkeen/tracking_number_data (ups.json).
 */
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

const s10Weights = [8, 6, 4, 2, 3, 5, 9, 7] as const;

/**
 * The expected check digit (the ninth digit) of a postal item (2 letters, 8 digits, check digit, country). Null: any
 * other shape. The digit 5 stands for two remainders, so a mistake that turns one into the other is missed; the letters
 * are not covered. Source: UPU standard S10.
 */
export function s10CheckDigit(item: string): string | null {
  const number = compact(item);
  if (!/^[A-Z]{2}\d{8,9}[A-Z]{2}$/.test(number)) return null;
  const digit = 11 - (s10Weights.reduce((sum, weight, place) => sum + weight * Number(number[place + 2]), 0) % 11);
  return digit === 10 ? '0' : digit === 11 ? '5' : String(digit);
}

/**
 * The expected last digit of a USPS package barcode (IMpb: 22 digits that begin with 91 to 95, after an optional 420
 * and ZIP code). Null: any other shape. Detects every single wrong digit of the 22; the ZIP code is not covered.
 * Source: USPS Publication 199.
 */
export function uspsCheckDigit(trackingNumber: string): string | null {
  const item = /^(?:420\d{5}(?:\d{4})?)?(9[1-5]\d{20})$/.exec(compact(trackingNumber))?.[1];
  return item === undefined ? null : weightedMod10(item.slice(0, -1));
}

/**
 * The expected last digit of a FedEx number of 12 digits (weights 3, 1, 7; mod 11, where 10 and 0 share the digit 0) or
 * of 15 (mod 10). Null: any other shape. Other carriers use these lengths too: only call it for FedEx. Source:
 * https://github.com/jkeen/tracking_number_data (fedex.json).
 */
export function fedexCheckDigit(trackingNumber: string): string | null {
  const number = compact(trackingNumber);
  if (/^\d{15}$/.test(number)) return weightedMod10(number.slice(0, -1));
  if (!/^\d{12}$/.test(number)) return null;
  const sum = [...number.slice(0, 11)].reduce(
    (total, digit, place) => total + Number(digit) * ([3, 1, 7][place % 3] ?? 0),
    0,
  );
  return String((sum % 11) % 10);
}

/**
 * The expected last digit of a DHL Express waybill (10 digits: the first 9 mod 7). Null: any other shape. Many numbers
 * have 10 digits: only call it for DHL. Source: https://github.com/jkeen/tracking_number_data (dhl.json).
 */
export function dhlExpressCheckDigit(trackingNumber: string): string | null {
  const number = compact(trackingNumber);
  return /^\d{10}$/.test(number) ? String(Number(number.slice(0, 9)) % 7) : null;
}

/**
 * The expected check digit of a number whose check digit is wrong. Null: it is right, or the number has none. Numbers
 * that carriers publish fail these checks, so a mismatch deserves a warning, never a refusal. `key` null: evaluated by
 * shape alone. `carrier` (a catalogue code) adds numbers whose shape doesn't identify the carrier.
 */
export function failedCheckDigit(
  key: IdentifierKey | null,
  value: string,
  carrier: string | null = null,
): string | null {
  const number = compact(value);
  const expected = expectedCheckDigit(key, number, carrier);
  if (expected === null) return null;
  const present = s10CheckDigit(number) === null || key === 'container' ? number.at(-1) : number.at(10);
  return present === expected ? null : expected;
}

function expectedCheckDigit(key: IdentifierKey | null, number: string, carrier: string | null): string | null {
  if ((key === 'container' || key === null) && /^[A-Z]{4}\d{7}$/.test(number)) return iso6346CheckDigit(number);
  if ((key === 'awb' || key === null) && /^\d{11}$/.test(number)) return awbCheckDigit(number);
  if (key !== 'tracking_number' && key !== null) return null;
  if (/^1Z[0-9A-Z]{15}\d$/.test(number)) return upsCheckDigit(number);
  if (/^[A-Z]{2}\d{9}[A-Z]{2}$/.test(number)) return s10CheckDigit(number);
  if (carrier === 'fedex') return fedexCheckDigit(number);
  if (carrier === 'dhl') return dhlExpressCheckDigit(number);
  return uspsCheckDigit(number);
}

/** The check digit of GS1: weights 3, 1, 3, … from the right. The digit makes the sum a multiple of 10. */
export function weightedMod10(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

/** A is 10; later letters count up and skip the multiples of 11 (11, 22, 33). */
function iso6346Value(charCode: number): number {
  if (charCode <= 57) return charCode - 48;
  const step = charCode - 65 + 10;
  return step + Math.floor((step - 1) / 10);
}

function compact(value: string): string {
  return value.toUpperCase().replace(/[\s-]/g, '');
}
