import { weightedMod10 } from './check-digits.ts';

/** Excel keeps 15 digits of a number (its specification of limits) and writes zeros for the others. */
export const keptDigits = 15;

const zerosBehindKept = /^\d{15}(0+)$/;

/** One number of a thousand ends in three zeros, and one of ten in a single one, which is no sign. */
const plainSign = 3;
const leastSign = 2;

/**
 * The digits of a number that a spreadsheet has probably replaced by zeros, counted; 0 where there is no sign of it. A
 * right check digit of GS1, which most long numbers of parcels have, excludes two. No carrier's rule for a check digit
 * covers the 16 digits of a number with a single zero.
 */
export function countLostDigits(number: string): number {
  const zeros = zerosBehindKept.exec(number)?.[1] ?? '';
  if (zeros.length < leastSign) return 0;
  if (zeros.length >= plainSign) return zeros.length;
  return weightedMod10(number.slice(0, -1)) === number.at(-1) ? 0 : zeros.length;
}
