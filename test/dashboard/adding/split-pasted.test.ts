import { describe, expect, test } from 'vitest';
import { splitPasted } from '#services/dashboard/screens/adding/split-pasted.ts';

const numbersOf = (text: string) => splitPasted(text).map(({ number }) => number);

describe('splitPasted', () => {
  test('reads one number per line, with any line ends and empty lines', () => {
    expect(numbersOf('MAEU263944107\r\nHLCUSHA260314471\n\n  020-08002050  \r1Z999AA10123456784')).toEqual([
      'MAEU263944107',
      'HLCUSHA260314471',
      '020-08002050',
      '1Z999AA10123456784',
    ]);
  });

  test('splits at commas, semicolons, tabs, bars and spaces', () => {
    const all = ['MAEU263944107', 'MAEU263944108', 'MSKU1234565'];
    for (const separator of [',', ', ', ';', '\t', ' | ', ' ', '   '])
      expect(numbersOf(all.join(separator))).toEqual(all);
  });

  test.each([
    'MSKU 123456 5',
    '020-0800 2050',
    '1Z 999 AA1 01 2345 6784',
    'MAEU 263 944 107',
    'HLCU SHA2 6031 4471',
    'JD01 4600 0087 1264 5520',
    '482-119 0037',
  ])('keeps the groups of %s as one number', (number) => {
    expect(numbersOf(number)).toEqual([number]);
  });

  test('separates groups that follow a complete number', () => {
    expect(numbersOf('MAEU263944107 020-0800 2050 MSKU 123456 5')).toEqual([
      'MAEU263944107',
      '020-0800 2050',
      'MSKU 123456 5',
    ]);
  });

  test('drops surrounding words, dates and times', () => {
    expect(numbersOf('Please track B/L MAEU263944107 (2 containers), ETD 2026-04-15 08:00.')).toEqual([
      'MAEU263944107',
    ]);
    expect(numbersOf('Dear all, thank you')).toEqual([]);
    expect(numbersOf('container: MSKU 123456 5 and AWB 020-0800 2050')).toEqual(['MSKU 123456 5', '020-0800 2050']);
  });

  test('reads the kind of an unrecognized number from its label', () => {
    expect(splitPasted('PRO 482-119 0037')).toEqual([
      { number: '482-119 0037', line: 1, label: { mode: 'road', identifier: 'pro' } },
    ]);
    expect(splitPasted('Booking: 123456789')[0]?.label).toEqual({ mode: 'ocean', identifier: 'booking' });
  });

  test('reports the line of each number', () => {
    expect(splitPasted('\nMAEU263944107\n\nMSKU1234565, MSKU1234570').map(({ line }) => line)).toEqual([2, 4, 4]);
  });

  test('accepts test numbers', () => {
    expect(numbersOf('TEST-DELAYED\nTEST-CUSTOMS-HOLD')).toEqual(['TEST-DELAYED', 'TEST-CUSTOMS-HOLD']);
  });
});
