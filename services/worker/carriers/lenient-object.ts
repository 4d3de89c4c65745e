/** A carrier's JSON object whose keys are found in any case (`eventId`, `eventID`); nulls and empty texts count as absent. */
export type LenientObject = ReadonlyMap<string, unknown>;

const maxTextLength = 500;
/** What nearly every field holds: printable ASCII of at most so many characters without a space at its ends. It is its own plain text. */
const plainPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,498}[\x21-\x7e])?$/;

/** Names come again with each event, and each is looked for in lower case. So many are kept, of at most so many characters. */
const lowerNames = new Map<string, string>();
const mostNames = 2000;
const longestKept = 64;

/** Views a JSON value as an object; null when it is none. `aliases` maps a line's own key to the standard's. */
export function readObject(value: unknown, aliases: Readonly<Record<string, string>> = {}): LenientObject | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = new Map<string, unknown>();
  for (const [key, field] of Object.entries(value)) {
    if (field === null || (typeof field === 'string' && field.trim() === '')) continue;
    const name = lowerName(Object.hasOwn(aliases, key) ? (aliases[key] ?? key) : key);
    if (!fields.has(name)) fields.set(name, field);
  }
  return fields;
}

/** The first of these fields that holds a text or a number, as plain text. */
export function text(object: LenientObject | null, ...names: string[]): string | null {
  for (const name of names) {
    const value = object?.get(lowerName(name));
    const written = typeof value === 'string' ? plainText(value) : '';
    if (written !== '') return written;
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return null;
}

/** A stranger's text on one line: trimmed, at most 500 characters, without what the database and its indexes refuse (U+0000, half pairs). */
export function plainText(value: string): string {
  if (plainPattern.test(value)) return value;
  return value
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxTextLength)
    .toWellFormed();
}

/** A field that holds an object. */
export function child(
  object: LenientObject | null,
  name: string,
  aliases?: Readonly<Record<string, string>>,
): LenientObject | null {
  return readObject(object?.get(lowerName(name)), aliases);
}

/** The objects of a field that holds a list; a lone object counts as a list of one. */
export function children(object: LenientObject | null, name: string): LenientObject[] {
  const value = object?.get(lowerName(name));
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => readObject(item)).filter((item) => item !== null);
}

/** A field that holds a number, also when it is written as text. */
export function decimal(object: LenientObject | null, name: string): number | null {
  const written = text(object, name);
  const value = written === null ? Number.NaN : Number(written);
  return Number.isFinite(value) ? value : null;
}

function lowerName(name: string): string {
  const known = lowerNames.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (lowerNames.size < mostNames && name.length <= longestKept) lowerNames.set(name, lower);
  return lower;
}
