import { expect, it } from 'vitest';
import { parcelPlace } from '#services/worker/carriers/reading/parcel-reading.ts';
import { readEdiPlace } from '#shared/edi/edi-place.ts';
import { splitAddress } from '#shared/places/split-address.ts';

const split = (city: string, country: string | null = null) =>
  splitAddress({ city, state: null, country, postalCode: null });

/** The least time of some runs, so that a pause of the machine does not count. */
function cost(run: () => unknown): number {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    for (let turn = 0; turn < 10; turn += 1) run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

it.each([' ', ', ', ' - ', ' A', '\n \t', '12345 ', 'A,B '])('takes time that grows with a text of %j', (part) => {
  const text = (length: number) => `A${part.repeat(Math.ceil(length / part.length))}A`;
  const readAll = (length: number) => {
    const name = text(length);
    return () => [split(name), split(name, 'US'), readEdiPlace({ name, country: 'US' })];
  };
  readAll(1000)();
  // A pattern that tries each pair of positions would take 4,096 times as long for a text of 64 times the length.
  expect(cost(readAll(64_000)) / cost(readAll(1000))).toBeLessThan(512);
});

it('returns a text that is longer than any address as stated, and reads blanks as one', () => {
  const long = `${'A'.repeat(199)}, US`;
  expect(split(long)).toEqual({ city: long, state: null, country: null, postalCode: null });
  expect(split('  PLANO, \n  TX ', 'US')).toMatchObject({ city: 'PLANO', state: 'TX' });
});

it('limits the name of a place in a message as the rows of the JSON API do', () => {
  expect(readEdiPlace({ name: `PLANO${' '.repeat(8192)}WEST`, country: 'US' })).toMatchObject({
    place: { name: 'PLANO WEST' },
  });
  expect(readEdiPlace({ name: 'A'.repeat(201), country: 'US' })).toEqual({
    reason: 'The name of the place has more than 200 characters.',
  });
});

it.each([
  ['ALBUQUERQUE - NEW MEXICO', 'ALBUQUERQUE', 'NM', 'US'],
  ['SEATTLE - WASHINGTON', 'SEATTLE', 'WA', 'US'],
  ['Plano, Texas', 'Plano', 'TX', 'US'],
  ['PLANO - TX', 'PLANO', 'TX', 'US'],
  ['LOS ANGELES - CA', 'LOS ANGELES', 'CA', 'US'],
  ['TORONTO - ONTARIO', 'TORONTO', 'ON', 'CA'],
  ['MONTREAL - QUEBEC', 'MONTREAL', 'QC', 'CA'],
  ['VANCOUVER - BRITISH COLUMBIA', 'VANCOUVER', 'BC', 'CA'],
  ['PERTH - WESTERN AUSTRALIA', 'PERTH', 'WA', 'AU'],
  ['TIJUANA - BAJA CALIFORNIA SUR', 'TIJUANA', 'BCS', 'MX'],
  ['TBILISI - GEORGIA', 'TBILISI', null, 'GE'],
  ['Batumi, Georgia', 'Batumi', null, 'GE'],
  ['ATLANTA - GEORGIA', 'ATLANTA', 'GA', 'US'],
  ['TOKYO - JAPAN', 'TOKYO', null, 'JP'],
  ['MEXICO CITY - MEXICO', 'MEXICO CITY', null, 'MX'],
  ['LUXEMBOURG - LUXEMBOURG', 'LUXEMBOURG', null, 'LU'],
  ['SAN JUAN - PUERTO RICO', 'SAN JUAN', null, 'PR'],
  ['Milan, IT', 'Milan', null, 'IT'],
  // A town of this name may be in both.
  ['SMALLVILLE - GEORGIA', 'SMALLVILLE - GEORGIA', null, null],
  ['CINCINNATI - HUB, OH', 'CINCINNATI - HUB', 'OH', 'US'],
  ['WINSTON - SALEM', 'WINSTON - SALEM', null, null],
])('splits %s', (written, city, state, country) => {
  expect(split(written)).toEqual({ city, state, country, postalCode: null });
});

it.each([
  ['ALBUQUERQUE - NEW MEXICO', 'America/Denver'],
  ['TBILISI - GEORGIA', 'Asia/Tbilisi'],
  ['ATLANTA - GEORGIA', 'America/New_York'],
])('finds the zone of %s', (city, timezone) => {
  expect(parcelPlace({ city, state: null, country: null })?.timezone).toBe(timezone);
});
