import { foldName } from '#shared/domain/fold-text.ts';
import { allCountryCodes } from './country-codes.ts';

/** Languages in which people write countries' names. */
const languages = 'de fr es it pt nl sv da nb fi pl cs tr ru zh zh-Hant ja ko vi id'.split(' ');

let codesByName: Map<string, string> | null = null;

/** The ISO 3166-1 alpha-2 code of a country by its name in one of the languages (CLDR). Null: anything else. */
export function nativeCountryCode(name: string): string | null {
  codesByName ??= indexNames();
  return codesByName.get(foldName(name)) ?? null;
}

function indexNames(): Map<string, string> {
  const index = new Map<string, string>();
  for (const language of languages) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of allCountryCodes) {
      const name = foldName(names.of(code) ?? '');
      if (name !== '' && !index.has(name)) index.set(name, code);
    }
  }
  return index;
}
