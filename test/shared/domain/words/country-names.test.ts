import { expect, it } from 'vitest';
import { countryCodeOf } from '#shared/domain/words/country-names.ts';

it.each([
  ['Korea, Republic of', 'KR'],
  ['Cabo Verde', 'CV'],
  ['Taiwan, Province of China', 'TW'],
  ['Iran (Islamic Republic of)', 'IR'],
  ['Hong Kong SAR, China', 'HK'],
  ['Lao People’s Democratic Republic', 'LA'],
  ['Tanzania, United Republic of', 'TZ'],
  ['China', 'CN'],
  ['  germany ', 'DE'],
  ['The Netherlands', 'NL'],
  ['U.S.A.', 'US'],
  ['Türkiye', 'TR'],
  ['Turkey', 'TR'],
  ['Côte d’Ivoire', 'CI'],
  ['Bosnia & Herzegovina', 'BA'],
  ['Hong Kong', 'HK'],
])('%s is %s', (name, code) => {
  expect(countryCodeOf(name)).toBe(code);
});

it.each(['Rotterdam', 'CN', 'New York', 'a', '', 'Chinatown', '__proto__', 'constructor'])(
  '%s is no country',
  (name) => {
    expect(countryCodeOf(name)).toBeNull();
  },
);

it('has the codes and names of the Unicode CLDR', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const known = codes.filter(
    (code) => countryCodeOf(names.of(code)?.replace(/ (?:SAR China|\(.*\))/, '') ?? '') === code,
  );
  expect(known.length).toBeGreaterThan(240);
});
