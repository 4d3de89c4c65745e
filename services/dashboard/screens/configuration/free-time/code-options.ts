import { useQuery } from '@tanstack/react-query';
import { carriers } from '#shared/domain/carriers/carrier-catalogue.ts';
import { call } from '../../../api/call.ts';
import type { CodeOption } from './code-field.tsx';

const byName = (left: CodeOption, right: CodeOption) => left.name.localeCompare(right.name);

/** The carriers of container transport. */
export const carrierOptions: readonly CodeOption[] = carriers
  .filter(({ modes }) => modes.includes('ocean') || modes.includes('rail'))
  .map(({ code, name }) => ({ code, name }))
  .toSorted(byName);

const carrierNames = new Map(carrierOptions.map(({ code, name }) => [code, name]));

export function carrierNameOf(code: string): string | null {
  return carrierNames.get(code.trim().toUpperCase()) ?? null;
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Codes that browsers name and ISO 3166-1 does not assign to a country. */
const notCountries = ['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'XK', 'ZZ'];

let countries: readonly CodeOption[] | null = null;

/** All countries by name. Browsers know the names. */
export function countryOptions(): readonly CodeOption[] {
  if (countries !== null) return countries;
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  countries = letters
    .flatMap((first) => letters.map((second) => first + second))
    // A retired code is written as its successor: DD as DE.
    .filter((code) => !notCountries.includes(code) && new Intl.Locale(`und-${code}`).region === code)
    .flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [{ code, name }];
    })
    .toSorted(byName);
  return countries;
}

let currencies: readonly CodeOption[] | null = null;

/** All currencies by code. */
export function currencyOptions(): readonly CodeOption[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' });
  currencies ??= Intl.supportedValuesOf('currency').map((code) => ({ code, name: names.of(code) ?? code }));
  return currencies;
}

/** The places that shipments of the account go to. */
export function usePlaceOptions(): readonly CodeOption[] {
  const { data } = useQuery({
    queryKey: ['map', 'destinations'],
    queryFn: ({ signal }) => call('listDestinations', {}, { signal }),
    staleTime: 60_000,
    select: ({ data: places }) =>
      places.map(({ unlocode, name }) => ({ code: unlocode, name: name ?? unlocode })).toSorted(byName),
  });
  return data ?? [];
}
