import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  awbCheckDigit,
  dhlExpressCheckDigit,
  failedCheckDigit,
  fedexCheckDigit,
  imoCheckDigit,
  iso6346CheckDigit,
  s10CheckDigit,
  upsCheckDigit,
  uspsCheckDigit,
} from '#shared/domain/registration/check-digits.ts';

describe('published numbers', () => {
  it.each([
    ['CSQU3054383', '3'],
    ['MSKU6011672', '2'],
    ['CSQU 305438-3', '3'],
  ])('gives container %s the check digit %s', (container, digit) => {
    expect(iso6346CheckDigit(container)).toBe(digit);
    expect(failedCheckDigit('container', container)).toBeNull();
  });

  it.each(['020-08002050', '020-17363006', '057-06399886', '057 06399886'])('accepts air waybill %s', (awb) => {
    expect(failedCheckDigit('awb', awb)).toBeNull();
  });

  it.each(['9321483', 'IMO 9074729'])('accepts vessel %s', (imo) => {
    expect(imo.endsWith(imoCheckDigit(imo) ?? '?')).toBe(true);
  });

  it.each([
    '1Z5R89390357567127',
    '1Z12345E1512345676',
    '1Z879E930346834440',
    '1Z410E7W0392751591',
    '1z 999 aa1 01 2345 6784',
  ])('accepts UPS number %s', (number) => {
    expect(failedCheckDigit('tracking_number', number)).toBeNull();
    expect(upsCheckDigit(number)).not.toBeNull();
  });
});

it('returns the expected digit of published numbers with a wrong one', () => {
  expect(failedCheckDigit('awb', '176-98765432')).toBe(awbCheckDigit('1769876543'));
  expect(failedCheckDigit('container', 'APNR7744962')).toBe(iso6346CheckDigit('APNR774496'));
  expect(failedCheckDigit('tracking_number', '1Z12345E0205271688')).toBe('6');
  expect(imoCheckDigit('1801323')).not.toBe('3');
});

it('detects one wrong digit of a container number', () => {
  expect(failedCheckDigit('container', 'CSQU3054373')).not.toBeNull();
});

it('has no check digit for other shapes', () => {
  for (const check of [iso6346CheckDigit, awbCheckDigit, imoCheckDigit, upsCheckDigit])
    expect(check('hello')).toBeNull();
  expect(failedCheckDigit('mbl', 'CSQU3054384')).toBeNull();
});

it('decides by the shape of the number without a key', () => {
  expect(failedCheckDigit(null, 'CSQU3054384')).toBe('3');
  expect(failedCheckDigit(null, 'MAEU123456789')).toBeNull();
});

describe('published parcel numbers', () => {
  it.each(['986578788855', '477179081230', '799531274483', '041441760228964', '568283610012734'])(
    'FedEx %s fits',
    (number) => {
      expect(fedexCheckDigit(number)).toBe(number.at(-1));
    },
  );

  it.each([
    '9400111201080805483016',
    '9505511069605048600624',
    '420221539101026837331000039521',
    '4201028200009261290113185417468510',
  ])('accepts USPS %s', (number) => {
    expect(uspsCheckDigit(number)).toBe(number.at(-1));
  });

  it.each(['3318810025', '8487135506', '1099255990'])('accepts DHL Express %s', (number) => {
    expect(dhlExpressCheckDigit(number)).toBe(number.at(-1));
  });

  it.each(['RB123456785GB', 'RB123456785US'])('accepts postal item %s', (number) => {
    expect(s10CheckDigit(number)).toBe('5');
    expect(failedCheckDigit('tracking_number', number)).toBeNull();
    expect(failedCheckDigit('tracking_number', number.replace('785', '786'))).toBe('5');
  });
});

const letters = (length: number) => fc.stringMatching(new RegExp(`^[A-Z]{${length}}$`));
const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));

/** Letters of ISO 6346 with the same remainder mod 11. */
const sameLetters = ['AKU', 'BLV', 'CMW', 'DNX', 'EOY', 'FPZ', 'GQ', 'HR', 'IS', 'JT'];

type Scheme = {
  key: 'container' | 'awb' | 'tracking_number';
  carrier?: string;
  /** A number with the right check digit. */
  number: fc.Arbitrary<string>;
  /** True when the algorithm itself cannot distinguish the two. */
  blindTo: (right: string, wrong: string, place: number) => boolean;
};

const schemes: Record<string, Scheme> = {
  'ISO 6346': {
    key: 'container',
    number: fc
      .tuple(letters(4), digits(6))
      .map(([owner, serial]) => owner + serial + iso6346CheckDigit(owner + serial)),
    // Remainders 10 and 0 share the digit 0, and letters whose values differ by 11 count alike.
    blindTo: (right, wrong, place) =>
      (place < 10 && iso6346CheckDigit(right) === '0' && iso6346CheckDigit(wrong) === '0') ||
      sameLetters.some((group) => place < 4 && group.includes(right[place]!) && group.includes(wrong[place]!)),
  },
  AWB: {
    key: 'awb',
    number: fc.tuple(digits(3), digits(7)).map(([prefix, serial]) => prefix + serial + awbCheckDigit(prefix + serial)),
    // The prefix is not covered. Among the seven digits 0 and 7, 1 and 8, 2 and 9 count alike.
    blindTo: (right, wrong, place) =>
      place < 3 || (place < 10 && Math.abs(Number(right[place]) - Number(wrong[place])) === 7),
  },
  '1Z': {
    key: 'tracking_number',
    number: fc.stringMatching(/^1Z[0-9A-Z]{15}$/).map((body) => body + upsCheckDigit(body)),
    // Doubled positions don't distinguish values that differ by 5, and no position distinguishes letters of one value.
    blindTo: (right, wrong, place) => {
      if (place < 2 || place === 17) return place < 2;
      const value = (character: string) =>
        /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 63) % 10;
      const difference = Math.abs(value(right[place]!) - value(wrong[place]!));
      return difference === 0 || ((place - 2) % 2 === 1 && difference === 5);
    },
  },
  S10: {
    key: 'tracking_number',
    number: fc.tuple(letters(2), digits(8), letters(2)).map(([service, serial, country]) => {
      return service + serial + s10CheckDigit(`${service}${serial}${country}`) + country;
    }),
    // The letters are not covered; two remainders share the digit 5.
    blindTo: (right, wrong, place) =>
      place < 2 || place > 10 || (place < 10 && s10CheckDigit(right) === '5' && s10CheckDigit(wrong) === '5'),
  },
  IMpb: {
    key: 'tracking_number',
    number: fc.tuple(fc.constantFrom('91', '92', '94', '95'), digits(19)).map(([service, serial]) => {
      return service + serial + uspsCheckDigit(`${service}${serial}0`);
    }),
    blindTo: () => false,
  },
  'FedEx of 12 digits': {
    key: 'tracking_number',
    carrier: 'fedex',
    number: digits(11).map((body) => body + fedexCheckDigit(`${body}0`)),
    blindTo: (right, wrong, place) => place < 11 && fedexCheckDigit(right) === '0' && fedexCheckDigit(wrong) === '0',
  },
  'FedEx of 15 digits': {
    key: 'tracking_number',
    carrier: 'fedex',
    number: digits(14).map((body) => body + fedexCheckDigit(`${body}0`)),
    blindTo: () => false,
  },
};

describe.each(Object.entries(schemes))('%s', (_name, { key, carrier = null, number, blindTo }) => {
  it('gives no warning for a correct number', () => {
    fc.assert(fc.property(number, (right) => failedCheckDigit(key, right, carrier) === null));
  });

  it('warns of one wrong character, except where the algorithm itself is blind', () => {
    fc.assert(
      fc.property(number, fc.nat(), fc.nat(), (right, at, by) => {
        const place = at % right.length;
        const alphabet = /\d/.test(right[place]!) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
        const others = [...alphabet].filter((character) => character !== right[place]);
        const wrong = right.slice(0, place) + others[by % others.length] + right.slice(place + 1);
        // A barcode with another start is of another kind and has no check digit here.
        fc.pre(
          key !== 'tracking_number' ||
            carrier !== null ||
            !/^\d/.test(right) ||
            right.startsWith('1Z') ||
            /^9[1-5]/.test(wrong),
        );
        fc.pre(!right.startsWith('1Z') || place > 1);
        expect(failedCheckDigit(key, wrong, carrier) === null, `${right} ${wrong}`).toBe(blindTo(right, wrong, place));
      }),
    );
  });
});
