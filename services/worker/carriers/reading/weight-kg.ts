import { entryOf } from '#shared/domain/entry-of.ts';
import { type Measured, notStated, readNumber, unreadable } from './measured.ts';

/**
 * Kilograms in one unit. The international avoirdupois pound is 0.45359237 kg. The codes with three letters are those
 * of UN/ECE Recommendation 20; IATA writes K and L.
 */
const kilograms: Readonly<Record<string, number>> = {
  KG: 1,
  KGS: 1,
  KGM: 1,
  KILOGRAM: 1,
  KILOGRAMS: 1,
  K: 1,
  G: 0.001,
  GM: 0.001,
  GRM: 0.001,
  GRAM: 0.001,
  GRAMS: 0.001,
  TNE: 1000,
  LB: 0.45359237,
  LBS: 0.45359237,
  LBR: 0.45359237,
  L: 0.45359237,
  POUND: 0.45359237,
  POUNDS: 0.45359237,
  OZ: 0.45359237 / 16,
  OZS: 0.45359237 / 16,
  ONZ: 0.45359237 / 16,
  OUNCE: 0.45359237 / 16,
  OUNCES: 0.45359237 / 16,
};

/** 100,000 t: more than any ship carries for one shipper. */
const maxKg = 100_000_000;

/**
 * A weight in kilograms, to the gram. A unit within the text counts before `unit`. Zero is how carriers' systems fill a
 * weight that nobody entered, and counts as not stated.
 */
export function readWeightKg(written: unknown, unit: string | null): Measured<number> {
  if (written === null || written === undefined || written === '') return notStated();
  const raw = { weight: written, unit };
  if (typeof written !== 'string' && typeof written !== 'number') return unreadable(raw, 'the weight is not a number');
  const number = readNumber(String(written));
  if ('reason' in number) return unreadable(raw, `the weight ${number.reason}`);
  if (number.amount === 0) return notStated();
  if (number.amount < 0) return unreadable(raw, 'the weight is negative');
  const name = number.unit ?? unit?.trim().toUpperCase() ?? '';
  const factor = entryOf(kilograms, name);
  if (factor === undefined)
    return unreadable(raw, name === '' ? 'the weight has no unit' : 'the weight unit is unknown');
  const kg = Math.round(number.amount * factor * 1000) / 1000;
  if (kg <= 0 || kg > maxKg) return unreadable(raw, 'the weight is out of range');
  return { value: kg, unreadable: [] };
}
