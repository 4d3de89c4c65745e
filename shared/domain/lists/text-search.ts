import { foldText } from '../fold-text.ts';

/** Meaning of a place in a filter. Any of the parts may match. Names are in the form of `foldName`. */
export type PlaceSearch = {
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[];
  /** UN/LOCODEs and IATA codes. */
  codes: readonly string[];
  /** Whole words of a name. */
  names: readonly string[];
  /** Any part of a name. */
  parts: readonly string[];
  /** The countries to which `names` and `parts` are confined. Null: any. */
  within: readonly string[] | null;
};

/** Other texts for the same place, by the phrase and the words of `q`. */
export type OtherTexts = Readonly<Record<string, readonly string[]>>;

/** A text of `q`, and other texts for the same place. */
export type SoughtText = { text: string; others: readonly string[] };

/**
 * Meaning of `q`: the phrase (or another text for the same place) or the phrase without separators is part of the
 * search text, or all of the words are. All folded.
 */
export type TextSearch = { phrase: SoughtText; compact: string; words: SoughtText[] };

/** Parses `q`. Numbers are printed with and without separators. */
export function readTextSearch({ q = '', otherTexts = {} }: { q?: string; otherTexts?: OtherTexts }): TextSearch {
  const phrase = foldText(q.trim());
  const sought = (text: string): SoughtText => ({ text, others: otherTexts[text] ?? [] });
  return {
    phrase: sought(phrase),
    compact: phrase.replace(/[\s-]/g, ''),
    words: phrase
      .split(/\s+/)
      .filter((word) => word !== '')
      .map(sought),
  };
}
