import { numberLocale } from './locale.ts';

/** `12.4 kg`, `0.35 kg`, `12,400 kg`; of a letter in grams: `4 g`. */
export function weightWords(kg: number): string {
  if (kg > 0 && kg < 0.1) return `${(kg * 1000).toLocaleString(numberLocale(), { maximumFractionDigits: 0 })} g`;
  return `${kg.toLocaleString(numberLocale(), { maximumFractionDigits: kg < 10 ? 2 : 1 })} kg`;
}

/** `40 × 30 × 20 cm`. */
export function dimensionWords({ length, width, height }: { length: number; width: number; height: number }): string {
  const sizes = [length, width, height].map((size) =>
    size.toLocaleString(numberLocale(), { maximumFractionDigits: 1 }),
  );
  return `${sizes.join(' × ')} cm`;
}

const beforeUnit = /(?<=\d) (?=(?:ms|s|min|h|d|g|kg|cm|days?|hours?)\b)/g;
const afterCurrency = /(?<=\b[A-Z]{3}) (?=\d)/g;

/** The text with spaces that do not break between a number and its unit or currency, and in `40 × 30 × 20 cm`. */
export function keepUnits(text: string): string {
  return text.replace(beforeUnit, '\u00a0').replace(afterCurrency, '\u00a0').replace(/ × /g, '\u00a0×\u00a0');
}

/** `1 piece`, `2,000 pieces`. */
export function countWords(count: number, [one, many]: readonly [string, string]): string {
  return `${count.toLocaleString(numberLocale())} ${count === 1 ? one : many}`;
}

export const pieceNoun = ['piece', 'pieces'] as const;

/** `3 pieces, 12.4 kg`, as far as it is known. Null: nothing is. */
export function loadWords({ pieces_count: count, weight_kg: kg }: Load): string | null {
  const parts = [count === null ? '' : countWords(count, pieceNoun), kg === null ? '' : weightWords(kg)];
  return parts.filter((part) => part !== '').join(', ') || null;
}

type Load = { pieces_count: number | null; weight_kg: number | null };
