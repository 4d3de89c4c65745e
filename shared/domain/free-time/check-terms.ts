import type { InputMistake } from '../errors.ts';
import { compareText } from '../events/event-order.ts';
import type { FreeTimeTerm } from './terms.ts';

/** Known places, countries, carriers and currencies. */
export type TermsKnowledge = {
  /** The country (alpha-2) of a UN/LOCODE. Null: there is no such place. */
  countryOfPlace: (unlocode: string) => string | null;
  isCountry: (code: string) => boolean;
  /** The code of a carrier by code, alias or name. Null: unknown. */
  carrierCode: (name: string) => string | null;
  isCurrency: (code: string) => boolean;
};

/** Terms with carriers by code, and every mistake that a single field doesn't show. Pointers are into `{"terms": …}`. */
export function checkTerms(
  sent: readonly FreeTimeTerm[],
  known: TermsKnowledge,
): { terms: FreeTimeTerm[]; mistakes: InputMistake[] } {
  const terms = sent.map((term) => ({
    ...term,
    carrier: term.carrier === null ? null : (known.carrierCode(term.carrier) ?? term.carrier),
  }));
  const mistakes = terms.flatMap((term, index) => mistakesOf(term, index, known));
  const sorted = [...mistakes, ...overlaps(terms)].sort((left, right) => left.row - right.row);
  return { terms, mistakes: sorted.map(({ pointer, code, detail }) => ({ pointer, code, detail })) };
}

type RowMistake = InputMistake & { row: number };

function mistakesOf(term: FreeTimeTerm, row: number, known: TermsKnowledge): RowMistake[] {
  const found: RowMistake[] = [];
  const add = (field: string, code: string, detail: string) =>
    found.push({ row, pointer: `/terms/${row}/${field}`, code, detail: `Row ${row + 1}: ${detail}` });
  const { carrier, place, country, calendarCountry, rates, currency, validFrom, validTo } = term;
  if (carrier !== null && known.carrierCode(carrier) === null)
    add('carrier', 'unknown_carrier', `unknown carrier ${carrier}. See GET /v1/carriers.`);
  const placeCountry = place === null ? null : known.countryOfPlace(place);
  if (place !== null && placeCountry === null) add('place', 'unknown_place', `unknown UN/LOCODE ${place}.`);
  if (country !== null && !known.isCountry(country)) add('country', 'unknown_country', `unknown country ${country}.`);
  else if (country !== null && placeCountry !== null && placeCountry !== country)
    add('country', 'contradiction', `${place} is in ${placeCountry}, not in ${country}. Omit country.`);
  if (calendarCountry !== null && !known.isCountry(calendarCountry))
    add('calendar_country', 'unknown_country', `unknown country ${calendarCountry}.`);
  const working = term.counting === 'working' ? 'counting' : term.chargedDays === 'working' ? 'charged_days' : null;
  if (working !== null && calendarCountry === null && country === null && place === null)
    add(working, 'required', `working days need a calendar. Set calendar_country, country or place.`);
  if (term.kind === 'detention' && term.startEvent !== 'gate_out_full')
    add('start_event', 'invalid_value', 'detention always starts with gate_out_full. Omit start_event.');
  if (term.kind !== 'detention' && term.startEvent === 'gate_out_full')
    add('start_event', 'invalid_value', `${term.kind} starts before gate_out_full. Name another event.`);
  if (rates.length > 0 && currency === null) add('currency', 'required', 'rates need a currency.');
  if (rates.length === 0 && currency !== null)
    add('rates', 'required', 'currency without rates. Send both or neither.');
  if (currency !== null && !known.isCurrency(currency))
    add('currency', 'unknown_currency', `unknown currency ${currency}.`);
  if (rates[0] !== undefined && rates[0].fromDay !== 1)
    add('rates/0/from_day', 'invalid_value', 'the first rate must apply from day 1.');
  for (const [step, { fromDay }] of rates.entries())
    if (step > 0 && fromDay <= (rates[step - 1]?.fromDay ?? 0))
      add(`rates/${step}/from_day`, 'invalid_value', 'from_day must rise from step to step.');
  if (validFrom !== null && validTo !== null && validTo < validFrom)
    add('valid_to', 'contradiction', 'valid_to is before valid_from.');
  return found;
}

/**
 * Rows that would apply to the same clock at the same time, with nothing to choose between them. Combined terms stand
 * for both other kinds.
 */
function overlaps(terms: readonly FreeTimeTerm[]): RowMistake[] {
  const rows = terms.map((term, row) => ({ term, row }));
  const same = Map.groupBy(rows, ({ term }) =>
    JSON.stringify([term.carrier, term.place, term.country, term.equipment]),
  );
  const found = [...same.values()].flatMap((group) =>
    (['demurrage', 'detention'] as const).flatMap((kind) =>
      overlapsAmong(group.filter(({ term }) => term.kind === kind || term.kind === 'combined')),
    ),
  );
  // Two combined rows overlap as both kinds.
  return [...new Map(found.map((mistake) => [mistake.row, mistake])).values()];
}

type Row = { term: FreeTimeTerm; row: number };

function overlapsAmong(group: readonly Row[]): RowMistake[] {
  const sorted = group.toSorted((left, right) => compareText(startOf(left), startOf(right)) || left.row - right.row);
  const found: RowMistake[] = [];
  // The one that is valid for longest of those before.
  let open: Row | null = null;
  for (const one of sorted) {
    if (open !== null && startOf(one) <= endOf(open)) {
      const [first, second] = open.row < one.row ? [open, one] : [one, open];
      found.push({
        row: second.row,
        pointer: `/terms/${second.row}`,
        code: 'overlap',
        detail: `Row ${second.row + 1} overlaps row ${first.row + 1}: both apply to the same containers at the same time. Change one of them, or their validity.`,
      });
    }
    if (open === null || endOf(one) > endOf(open)) open = one;
  }
  return found;
}

function startOf({ term }: Row): string {
  return term.validFrom ?? '0000-01-01';
}

function endOf({ term }: Row): string {
  return term.validTo ?? '9999-12-31';
}
