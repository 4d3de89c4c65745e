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
  ])('container %s ends with %s', (container, digit) => {
    expect(iso6346CheckDigit(container)).toBe(digit);
    expect(failedCheckDigit('container', container)).toBeNull();
  });

  it.each(['020-08002050', '020-17363006', '057-06399886', '057 06399886'])('air waybill %s fits', (awb) => {
    expect(failedCheckDigit('awb', awb)).toBeNull();
  });

  it.each(['9321483', 'IMO 9074729'])('vessel %s fits', (imo) => {
    expect(imo.endsWith(imoCheckDigit(imo) ?? '?')).toBe(true);
  });

  it.each([
    '1Z5R89390357567127',
    '1Z12345E1512345676',
    '1Z879E930346834440',
    '1Z410E7W0392751591',
    '1z 999 aa1 01 2345 6784',
  ])('UPS number %s fits', (number) => {
    expect(failedCheckDigit('tracking_number', number)).toBeNull();
    expect(upsCheckDigit(number)).not.toBeNull();
  });
});

it('numbers that carriers publish with a wrong digit name the expected one', () => {
  expect(failedCheckDigit('awb', '176-98765432')).toBe(awbCheckDigit('1769876543'));
  expect(failedCheckDigit('container', 'APNR7744962')).toBe(iso6346CheckDigit('APNR774496'));
  expect(failedCheckDigit('tracking_number', '1Z12345E0205271688')).toBe('6');
  expect(imoCheckDigit('1801323')).not.toBe('3');
});

it('one wrong digit of a container number is found', () => {
  expect(failedCheckDigit('container', 'CSQU3054373')).not.toBeNull();
});

it('other shapes have no check digit', () => {
  for (const check of [iso6346CheckDigit, awbCheckDigit, imoCheckDigit, upsCheckDigit])
    expect(check('hello')).toBeNull();
  expect(failedCheckDigit('mbl', 'CSQU3054384')).toBeNull();
});

it('without a key the shape decides', () => {
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
  ])('USPS %s fits', (number) => {
    expect(uspsCheckDigit(number)).toBe(number.at(-1));
  });

  it.each(['3318810025', '8487135506', '1099255990'])('DHL Express %s fits', (number) => {
    expect(dhlExpressCheckDigit(number)).toBe(number.at(-1));
  });

  it.each(['RB123456785GB', 'RB123456785US'])('postal item %s fits', (number) => {
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
  /** Whether the check digit cannot tell the two: what the algorithm itself does not see. */
  blindTo: (right: string, wrong: string, place: number) => boolean;
};

const schemes: Record<string, Scheme> = {
  'ISO 6346': {
    key: 'container',
    number: fc
      .tuple(letters(4), digits(6))
      .map(([owner, serial]) => owner + serial + iso6346CheckDigit(owner + serial)),
    // Remainders 10 and 0 share the digit 0, and letters whose values differ by 11 are the same to it.
    blindTo: (right, wrong, place) =>
      (place < 10 && iso6346CheckDigit(right) === '0' && iso6346CheckDigit(wrong) === '0') ||
      sameLetters.some((group) => place < 4 && group.includes(right[place]!) && group.includes(wrong[place]!)),
  },
  AWB: {
    key: 'awb',
    number: fc.tuple(digits(3), digits(7)).map(([prefix, serial]) => prefix + serial + awbCheckDigit(prefix + serial)),
    // The prefix is not covered; among the seven digits 0 and 7, 1 and 8, 2 and 9 are the same to it.
    blindTo: (right, wrong, place) =>
      place < 3 || (place < 10 && Math.abs(Number(right[place]) - Number(wrong[place])) === 7),
  },
  '1Z': {
    key: 'tracking_number',
    number: fc.stringMatching(/^1Z[0-9A-Z]{15}$/).map((body) => body + upsCheckDigit(body)),
    // Doubled places do not tell values that differ by 5, and no place tells letters of one value.
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
  it('a right number gives no warning', () => {
    fc.assert(fc.property(number, (right) => failedCheckDigit(key, right, carrier) === null));
  });

  it('one wrong character gives one, but where the algorithm itself is blind', () => {
    fc.assert(
      fc.property(number, fc.nat(), fc.nat(), (right, at, by) => {
        const place = at % right.length;
        const alphabet = /\d/.test(right[place]!) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
        const others = [...alphabet].filter((character) => character !== right[place]);
        const wrong = right.slice(0, place) + others[by % others.length] + right.slice(place + 1);
        // A barcode that begins otherwise is of another kind and has no check digit here.
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
