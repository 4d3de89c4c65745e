import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime } from '#shared/store/read-rows.ts';

it.each([
  ['2026-03-01 09:00:00+00', '2026-03-01T09:00:00.000Z'],
  ['2026-03-01 09:00:00.5+00', '2026-03-01T09:00:00.500Z'],
  ['2026-03-01 09:00:00.123999+00', '2026-03-01T09:00:00.123Z'],
  ['2026-03-01 09:00:00+02', '2026-03-01T07:00:00.000Z'],
])('formats %s as %s', (text, iso) => {
  expect(isoTime(text)).toBe(iso);
});

it('agrees with `Date` for every moment', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1000-01-01Z'), max: new Date('9999-12-31Z'), noInvalidDate: true }),
      (date) => {
        const iso = date.toISOString();
        const written = `${iso
          .replace('T', ' ')
          .slice(0, -1)
          .replace(/\.?0+$/, '')}+00`;
        return isoTime(written.includes('.') ? written : `${iso.slice(0, 10)} ${iso.slice(11, 19)}+00`) === iso;
      },
    ),
  );
});
