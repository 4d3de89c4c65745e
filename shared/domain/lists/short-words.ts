const cjk = '[\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af]';
const runs = new RegExp(`${cjk}{2,}`, 'g');

/**
 * The neighboring characters of Han, Kana and Hangul in a text, each once: words of these scripts may have two
 * characters and have no spaces between them.
 */
export function cjkPairs(text: string): string[] {
  const pairs = [...text.matchAll(runs)].flatMap(([run]) =>
    Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  );
  return [...new Set(pairs)];
}

/** True for a text that is long enough to be searched: three characters, or two of a script with short words. */
export function isSearchable(text: string): boolean {
  return text.length >= 3 || cjkPairs(text).length > 0;
}
