const codes: Readonly<Record<string, string>> = {
  US: `AL AK AZ AR CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK
    OR PA RI SC SD TN TX UT VA VT WA WI WV WY`,
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT',
  AU: 'ACT NSW NT QLD SA TAS VIC WA',
};

const countries = new Map<string, string[]>();
for (const [country, list] of Object.entries(codes))
  for (const code of list.split(/\s+/)) countries.set(code, [...(countries.get(code) ?? []), country]);

/** Countries with a state of this code, in any case: `WA` is in the United States and in Australia. */
export function countriesOfState(code: string): readonly string[] {
  return countries.get(code.trim().toUpperCase()) ?? [];
}
