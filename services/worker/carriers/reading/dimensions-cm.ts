import { entryOf } from '#shared/domain/entry-of.ts';
import type { Dimensions } from '#shared/domain/events/event.ts';
import { type Measured, notStated, readNumber, unreadable } from './measured.ts';

/** Centimeters in one unit. The international inch is 2.54 cm. Codes with three letters: UN/ECE Recommendation 20. */
const centimeters: Readonly<Record<string, number>> = {
  CM: 1,
  CMT: 1,
  CENTIMETER: 1,
  CENTIMETERS: 1,
  MM: 0.1,
  MMT: 0.1,
  M: 100,
  MTR: 100,
  IN: 2.54,
  INS: 2.54,
  INH: 2.54,
  INCH: 2.54,
  INCHES: 2.54,
  FT: 30.48,
  FOT: 30.48,
};

/** 1 km. */
const maxCm = 100_000;

/** The three sides as the carrier writes them. */
export type WrittenDimensions = { length: unknown; width: unknown; height: unknown };

/**
 * Dimensions in centimeters, to a tenth of a millimeter. A unit within the text counts before `unit`. A side that is
 * missing or zero, as carriers' systems fill what nobody entered, leaves the dimensions not stated.
 */
export function readDimensionsCm(sides: WrittenDimensions, unit: string | null): Measured<Dimensions> {
  const raw = { dimensions: sides, unit };
  const all: number[] = [];
  for (const written of [sides.length, sides.width, sides.height]) {
    if (written === null || written === undefined || written === '') return notStated();
    if (typeof written !== 'string' && typeof written !== 'number') return unreadable(raw, 'a side is not a number');
    const number = readNumber(String(written));
    if ('reason' in number) return unreadable(raw, `a side ${number.reason}`);
    if (number.amount === 0) return notStated();
    const name = number.unit ?? unit?.trim().toUpperCase() ?? '';
    const factor = entryOf(centimeters, name);
    if (factor === undefined)
      return unreadable(raw, name === '' ? 'the dimensions have no unit' : 'the unit of the dimensions is unknown');
    const cm = Math.round(number.amount * factor * 100) / 100;
    if (cm <= 0 || cm > maxCm) return unreadable(raw, 'a side is out of range');
    all.push(cm);
  }
  const [length, width, height] = all;
  if (length === undefined || width === undefined || height === undefined) return notStated();
  return { value: { length, width, height }, unreadable: [] };
}
