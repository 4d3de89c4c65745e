/**
 * Splits a list that is sent as one text: `acme,urgent`. A value in double quotes may contain commas; a quote in it is
 * doubled: `"Smith, Jones",urgent`. Any other quote is part of its value.
 */
export function splitList(text: string): string[] {
  const values: string[] = [];
  for (let start = 0; start < text.length; ) {
    const quoted = readQuoted(text, start);
    const end = quoted?.end ?? nextComma(text, start);
    const value = (quoted?.value ?? text.slice(start, end)).trim();
    if (value !== '') values.push(value);
    start = end + 1;
  }
  return values;
}

/** The text from which `splitList` reads these values. */
export function joinList(values: readonly string[]): string {
  return values.map((value) => (/[,"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',');
}

/**
 * The value in quotes that starts here and reaches to a comma or the end, which is `end`. Null: there is none. A failed
 * search ends at the next value that opens a quote, so that the whole list takes linear time.
 */
function readQuoted(text: string, start: number): { value: string; end: number } | null {
  const opening = skipSpace(text, start);
  if (text[opening] !== '"') return null;
  let closing = text.indexOf('"', opening + 1);
  while (closing !== -1 && text[closing + 1] === '"') closing = text.indexOf('"', closing + 2);
  if (closing === -1) return null;
  const end = skipSpace(text, closing + 1);
  if (end < text.length && text[end] !== ',') return null;
  return { value: text.slice(opening + 1, closing).replaceAll('""', '"'), end };
}

function nextComma(text: string, from: number): number {
  const at = text.indexOf(',', from);
  return at === -1 ? text.length : at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at += 1;
  return at;
}
