import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTerms, type TermsKnowledge } from '#shared/domain/free-time/check-terms.ts';
import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';

const known: TermsKnowledge = {
  countryOfPlace: (unlocode) => ({ NLRTM: 'NL', DEHAM: 'DE' })[unlocode] ?? null,
  isCountry: (code) => ['NL', 'DE'].includes(code),
  carrierCode: (name) => ({ MAEU: 'MAEU', Maersk: 'MAEU' })[name] ?? null,
  isCurrency: (code) => code === 'EUR',
};

const plain: FreeTimeTerm = {
  kind: 'demurrage',
  carrier: null,
  place: null,
  country: null,
  equipment: null,
  freeDays: 5,
  startEvent: 'discharged',
  firstDay: 'next_day',
  counting: 'calendar',
  chargedDays: 'calendar',
  calendarCountry: null,
  rates: [],
  currency: null,
  validFrom: null,
  validTo: null,
};
const term = (changes: Partial<FreeTimeTerm>): FreeTimeTerm => ({ ...plain, ...changes });
const mistakesOf = (...terms: FreeTimeTerm[]) =>
  checkTerms(terms, known).mistakes.map(({ pointer, code }) => `${pointer} ${code}`);

describe('a row of free-time terms', () => {
  it.each<[string, Partial<FreeTimeTerm>, string]>([
    ['an unknown carrier', { carrier: 'NOBODY' }, '/terms/0/carrier unknown_carrier'],
    ['an unknown place', { place: 'NLXXX' }, '/terms/0/place unknown_place'],
    ['an unknown country', { country: 'XX' }, '/terms/0/country unknown_country'],
    ['a place in another country', { place: 'NLRTM', country: 'DE' }, '/terms/0/country contradiction'],
    ['an unknown calendar', { calendarCountry: 'XX' }, '/terms/0/calendar_country unknown_country'],
    ['free working days without a country', { counting: 'working' }, '/terms/0/counting required'],
    ['charged working days without a country', { chargedDays: 'working' }, '/terms/0/charged_days required'],
    ['detention from discharge', { kind: 'detention' }, '/terms/0/start_event invalid_value'],
    ['demurrage from gate out', { startEvent: 'gate_out_full' }, '/terms/0/start_event invalid_value'],
    ['rates without a currency', { rates: [{ fromDay: 1, amount: 9 }] }, '/terms/0/currency required'],
    ['a currency without rates', { currency: 'EUR' }, '/terms/0/rates required'],
    [
      'an unknown currency',
      { currency: 'XXY', rates: [{ fromDay: 1, amount: 9 }] },
      '/terms/0/currency unknown_currency',
    ],
    [
      'rates that begin late',
      { currency: 'EUR', rates: [{ fromDay: 2, amount: 9 }] },
      '/terms/0/rates/0/from_day invalid_value',
    ],
    [
      'rates that do not rise',
      {
        currency: 'EUR',
        rates: [1, 5, 5].map((fromDay) => ({ fromDay, amount: 9 })),
      },
      '/terms/0/rates/2/from_day invalid_value',
    ],
    [
      'a validity that ends before it begins',
      { validFrom: '2026-02-01', validTo: '2026-01-31' },
      '/terms/0/valid_to contradiction',
    ],
  ])('is refused for %s', (_name, changes, mistake) => {
    expect(mistakesOf(term(changes))).toEqual([mistake]);
  });

  it('names a carrier by its code, and uses the calendar of its country or place', () => {
    const terms = [
      term({ carrier: 'Maersk', counting: 'working', country: 'NL' }),
      term({ counting: 'working', place: 'DEHAM', chargedDays: 'working' }),
      term({ kind: 'detention', startEvent: 'gate_out_full', counting: 'working', calendarCountry: 'DE' }),
    ];
    expect(checkTerms(terms, known)).toEqual({
      terms: [{ ...terms[0], carrier: 'MAEU' }, ...terms.slice(1)],
      mistakes: [],
    });
  });
});

describe('two rows', () => {
  it('overlap when they apply to the same containers on the same day', () => {
    const year = term({ carrier: 'MAEU', validFrom: '2026-01-01', validTo: '2026-12-31' });
    const later = term({ carrier: 'Maersk', validFrom: '2026-12-31' });
    expect(mistakesOf(year, later)).toEqual(['/terms/1 overlap']);
    expect(mistakesOf(year, { ...later, validFrom: '2027-01-01' })).toEqual([]);
    expect(mistakesOf(year, { ...later, equipment: 'reefer' })).toEqual([]);
    expect(mistakesOf(year, { ...later, kind: 'detention', startEvent: 'gate_out_full' })).toEqual([]);
    expect(mistakesOf(year, { ...later, kind: 'combined' })).toEqual(['/terms/1 overlap']);
    expect(checkTerms([year, later], known).mistakes[0]?.detail).toMatch(/^Row 2 overlaps row 1:/);
  });

  it('overlap exactly when their validity has a day in common, in any order and number', () => {
    const day = fc.option(
      fc.integer({ min: 1, max: 28 }).map((date) => `2026-02-${String(date).padStart(2, '0')}`),
      { nil: null },
    );
    const row = fc
      .record({
        kind: fc.constantFrom('demurrage' as const, 'combined' as const),
        place: fc.constantFrom('NLRTM', 'DEHAM'),
        validFrom: day,
        validTo: day,
      })
      .filter(({ validFrom, validTo }) => validFrom === null || validTo === null || validFrom <= validTo)
      .map(term);
    const overlap = (left: FreeTimeTerm, right: FreeTimeTerm) =>
      left.place === right.place &&
      (left.validFrom ?? '') <= (right.validTo ?? '9') &&
      (right.validFrom ?? '') <= (left.validTo ?? '9');
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), (terms) => {
        const any = terms.some((one, index) => terms.slice(index + 1).some((other) => overlap(one, other)));
        expect(checkTerms(terms, known).mistakes.length > 0).toBe(any);
      }),
    );
  });
});
