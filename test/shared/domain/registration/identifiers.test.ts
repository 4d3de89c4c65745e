import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { inputNamesOf, keyOfAlias } from '#shared/domain/registration/identifier-rules.ts';
import {
  identifierKeysOf,
  lookupKeys,
  matchValue,
  matchValues,
  parseIdentifiers,
  trackableKeysOf,
} from '#shared/domain/registration/identifiers.ts';
import { testNumbers } from '#shared/domain/test-journeys/test-journeys.ts';

const live = { serviceType: null, test: false } as const;

describe('reading identifiers', () => {
  it.each([
    ['ocean', { mbl: ' MAEU123456789 ' }, { mbl: 'MAEU123456789' }],
    [
      'ocean',
      { mbl_number: 'MAEU123456789', container_number: 'csqu 305438-3' },
      { mbl: 'MAEU123456789', container: 'csqu 305438-3' },
    ],
    ['ocean', { booking_number: 'ab/12-3', hbl: 'H 1' }, { booking: 'ab/12-3', hbl: 'H 1' }],
    ['air', { mawb: '02008002050' }, { awb: '020-08002050' }],
    ['air', { awb_number: '020 0800 2050', hawb: 'X1' }, { awb: '020-08002050', hawb: 'X1' }],
    ['parcel', { tracking_number: '1Z5R89390357567127' }, { tracking_number: '1Z5R89390357567127' }],
    ['road', { pro_number: '012-345678' }, { pro: '012-345678' }],
    ['rail', { railcar: 'BNSF 123456' }, { railcar: 'BNSF 123456' }],
    ['ocean', { mbl: 'MAEU123456789', booking: null, container: null, hbl: null }, { mbl: 'MAEU123456789' }],
  ] as const)('%s %j', (mode, raw, identifiers) => {
    expect(parseIdentifiers(mode, raw, live)).toEqual({ identifiers, warnings: [], mistakes: [], trackable: true });
  });

  it('treats reference numbers alone as not trackable', () => {
    expect(parseIdentifiers('ocean', { hbl: 'HOUSE1' }, live)).toMatchObject({ mistakes: [], trackable: false });
  });

  it('warns of a wrong check digit without refusing', () => {
    const parsed = parseIdentifiers('ocean', { container: 'CSQU3054384' }, live);
    expect(parsed.mistakes).toEqual([]);
    expect(parsed.warnings).toMatchObject([
      { code: 'check_digit_mismatch', field: 'identifiers.container', expected: '3' },
    ]);
  });

  it('names every mistake with its location', () => {
    const raw = { mbl: '!', mbl_numbr: 'X', container: 12, awb: '020-08002050', 'a/b~c': 'X', booking: ' ' };
    const { mistakes, trackable } = parseIdentifiers('ocean', raw, live);
    expect(trackable).toBe(false);
    expect(mistakes.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/identifiers/mbl', 'invalid_format'],
      ['/identifiers/mbl_numbr', 'unknown_field'],
      ['/identifiers/container', 'wrong_type'],
      ['/identifiers/awb', 'identifier_mode_mismatch'],
      ['/identifiers/a~1b~0c', 'unknown_field'],
      ['/identifiers/booking', 'too_short'],
    ]);
  });

  it('names the allowed keys and the nearest one for an unknown key', () => {
    const [mistake] = parseIdentifiers('ocean', { contaner: 'CSQU3054383' }, live).mistakes;
    expect(mistake?.detail).toBe(
      'Unknown identifier: contaner. ocean accepts mbl, booking, container, hbl. Did you mean container?',
    );
  });

  it('lets an alias repeat its identifier but not contradict it', () => {
    expect(parseIdentifiers('ocean', { mbl: 'MAEU 123456789', mbl_number: 'maeu123456789' }, live).mistakes).toEqual(
      [],
    );
    expect(parseIdentifiers('ocean', { mbl: 'A1234', mbl_number: 'B1234' }, live).mistakes).toMatchObject([
      { code: 'conflict' },
    ]);
  });

  it('accepts equipment for full truckloads only', () => {
    expect(parseIdentifiers('road', { pro: '1', equipment: 'T1' }, live).mistakes).toMatchObject([
      { pointer: '/identifiers/equipment' },
    ]);
    expect(
      parseIdentifiers('road', { bol: '1', equipment: 'T1' }, { serviceType: 'ftl', test: false }).mistakes,
    ).toEqual([]);
  });

  describe('TEST numbers', () => {
    const test = { serviceType: 'ftl', test: true } as const;

    it('accepts every TEST number in every mode, as every trackable identifier, in any case and with a suffix', () => {
      for (const mode of transportModes) {
        for (const key of trackableKeysOf(mode)) {
          for (const number of testNumbers) {
            for (const sent of [number, number.toLowerCase(), `${number}-42`]) {
              expect(parseIdentifiers(mode, { [key]: sent }, test)).toEqual({
                identifiers: { [key]: sent },
                warnings: [],
                mistakes: [],
                trackable: true,
              });
            }
          }
        }
      }
    });

    it('refuses an unknown TEST number with the list and the nearest', () => {
      const [mistake] = parseIdentifiers('ocean', { mbl: 'TEST-DELIVRED' }, test).mistakes;
      expect(mistake).toMatchObject({ pointer: '/identifiers/mbl', code: 'unknown_test_number' });
      expect(mistake?.detail).toContain('TEST-CUSTOMS-HOLD');
      expect(mistake?.detail).toContain('Did you mean TEST-DELIVERED?');
    });

    it('refuses a TEST number with a live key, even where the shape fits', () => {
      for (const raw of [{ container: 'TEST-DELIVERED' }, { mbl: 'test-delivered' }, { booking: 'TEST-ANYTHING' }]) {
        const [mistake] = parseIdentifiers('ocean', raw, live).mistakes;
        expect(mistake).toMatchObject({ code: 'live_key_not_allowed', detail: expect.stringContaining('svc_test_') });
      }
    });

    it('allows a client’s own reference to start like a TEST number', () => {
      expect(parseIdentifiers('ocean', { mbl: 'MAEU123456789', hbl: 'TEST-1' }, live).mistakes).toEqual([]);
      expect(parseIdentifiers('ocean', { mbl: 'TEST-BOOKED', hbl: 'TEST-1' }, test).mistakes).toEqual([]);
    });
  });

  it('maps every alias of every mode to its identifier', () => {
    for (const mode of transportModes) {
      for (const name of inputNamesOf(mode)) {
        const key = keyOfAlias(mode, name);
        expect(key, name).not.toBeNull();
        const { identifiers, mistakes } = parseIdentifiers(
          mode,
          { [name]: '123' },
          { serviceType: 'ftl', test: false },
        );
        const named = mistakes.map((mistake) => mistake.code);
        expect(named.includes('unknown_field') || named.includes('identifier_mode_mismatch'), name).toBe(false);
        if (mistakes.length === 0) expect(Object.keys(identifiers)).toEqual([key]);
      }
    }
  });

  it('suggests the identifier for a misspelled alias', () => {
    expect(parseIdentifiers('road', { pro_nmber: '1' }, live).mistakes[0]?.detail).toContain('Did you mean pro?');
    expect(parseIdentifiers('rail', { car_numbr: '1' }, live).mistakes[0]?.detail).toContain('Did you mean railcar?');
  });

  it('checks FedEx and DHL numbers for their own carrier only', () => {
    const wrong = { tracking_number: '986578788856' };
    expect(parseIdentifiers('parcel', wrong, { ...live, carrier: 'fedex' }).warnings).toMatchObject([
      { expected: '5' },
    ]);
    expect(parseIdentifiers('parcel', wrong, { ...live, carrier: 'dpd' }).warnings).toEqual([]);
    expect(parseIdentifiers('parcel', wrong, live).warnings).toEqual([]);
  });

  it('never throws, and keeps only identifiers that can be matched', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...transportModes),
        fc.dictionary(
          fc.oneof(fc.string(), fc.constantFrom('mbl', 'awb', 'pro', 'container', '__proto__', 'constructor')),
          fc.anything(),
        ),
        (mode, raw) => {
          const { identifiers } = parseIdentifiers(mode, raw, live);
          for (const value of Object.values(identifiers)) expect(matchValue(value)).not.toBe('');
        },
      ),
    );
  });

  it('parses its own result to the same value', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 /-]{4,30}$/), (mbl) => {
        const first = parseIdentifiers('ocean', { mbl }, live);
        expect(parseIdentifiers('ocean', first.identifiers, live).identifiers).toEqual(first.identifiers);
      }),
    );
  });
});

describe('matching', () => {
  it('normalizes idempotently', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => matchValue(matchValue(value)) === matchValue(value)),
    );
  });

  it('ignores case, spaces and hyphens', () => {
    expect(matchValue(' csqu 305438-3 ')).toBe('CSQU3054383');
  });

  it.each([
    ['mbl', 'MAEU123456789', 'MAEU', '123456789'],
    ['mbl', 'SUDU123456789', 'MAEU', '123456789'],
    ['booking', 'HLCU-1234567', 'HLCU', '1234567'],
    ['mbl', 'MEDU1234567', 'MSCU', '1234567'],
    ['mbl', 'MAEU12345', 'MAEU', 'MAEU12345'],
    ['mbl', 'MAEUABCDEFG', 'MAEU', 'MAEUABCDEFG'],
    ['mbl', 'MAEU123456789', 'HLCU', 'MAEU123456789'],
    ['mbl', 'MAEU123456789', null, 'MAEU123456789'],
    ['hbl', 'MAEU123456789', 'MAEU', 'MAEU123456789'],
    ['container', 'MSCU1234567', 'MSCU', 'MSCU1234567'],
  ] as const)('%s %s of %s is stored as %s', (key, value, carrier, stored) => {
    expect(matchValues(key, value, carrier).stored).toBe(stored);
  });

  it('searches without a carrier for the unchanged number, and without a known prefix for that carrier', () => {
    expect(matchValues(null, 'maeu 123456789', null).candidates).toEqual([
      { value: 'MAEU123456789', carrier: null, keys: null },
      { value: '123456789', carrier: 'MAEU', keys: ['mbl', 'booking'] },
    ]);
    expect(matchValues('mbl', '123456789', null).candidates).toEqual([
      { value: '123456789', carrier: null, keys: null },
    ]);
    expect(matchValues('mbl', 'MAEU123456789', 'HLCU').candidates).toHaveLength(1);
  });

  it('always finds a stored number, with the carrier named or not', () => {
    const number = fc.stringMatching(/^(MAEU|SUDU|HLCU|MEDU|XXXX)?[A-Z0-9]{4,12}$/);
    fc.assert(
      fc.property(
        fc.constantFrom('mbl', 'booking', 'hbl', 'container'),
        number,
        fc.constantFrom('MAEU', 'HLCU', 'MSCU'),
        (key, value, carrier) => {
          const { stored } = matchValues(key, value, carrier);
          for (const asked of [carrier, null]) {
            for (const askedKey of [key, null] as const) {
              const found = matchValues(askedKey, value, asked).candidates.some(
                (candidate) =>
                  candidate.value === stored &&
                  (candidate.carrier ?? carrier) === carrier &&
                  (candidate.keys?.includes(key) ?? true),
              );
              expect(found).toBe(true);
            }
          }
        },
      ),
    );
  });
});

it('looks up the identifier keys of each kind of number', () => {
  expect(lookupKeys('bol')).toEqual(['mbl', 'hbl', 'bol']);
  expect(lookupKeys('awb')).toEqual(['awb', 'hawb']);
  expect(lookupKeys('tracking_number')).toContain('pro');
  expect(lookupKeys('shipment_id')).toEqual([]);
});

it('has a trackable key in every mode', () => {
  expect(identifierKeysOf('ocean')).toEqual(['mbl', 'booking', 'container', 'hbl']);
  expect(trackableKeysOf('road')).toEqual(['pro', 'bol', 'equipment']);
  for (const mode of transportModes) expect(trackableKeysOf(mode).length).toBeGreaterThan(0);
});
