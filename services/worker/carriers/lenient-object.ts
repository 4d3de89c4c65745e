import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';

/**
 * A carrier's JSON object with case-insensitive keys (`eventId`, `eventID`). Nulls and empty strings count as absent.
 */
export type LenientObject = ReadonlyMap<string, unknown>;

const maxTextLength = 500;
/** Matches nearly every value: short printable ASCII without spaces at its ends. Such a value needs no cleaning. */
const plainPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,498}[\x21-\x7e])?$/;

/**
 * Cache of lower-case key names, because the same names recur in every event. It is bounded in entries and in key
 * length.
 */
const lowerNames = new Map<string, string>();
const maxNames = 2000;
const maxNameLength = 64;

/** Wraps a JSON value as an object. Null when it isn't one. `aliases` maps a line's own key to the standard's. */
export function readObject(value: unknown, aliases: Readonly<Record<string, string>> = {}): LenientObject | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = new Map<string, unknown>();
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined || (typeof field === 'string' && field.trim() === '')) continue;
    const name = lowerName(Object.hasOwn(aliases, key) ? (aliases[key] ?? key) : key);
    if (field === null) noteNull(fields, name);
    else if (!fields.has(name)) fields.set(name, field);
  }
  return fields;
}

/** Names of the fields that are null, which only `listedItems` distinguishes from absent ones. */
const nullNames = new WeakMap<LenientObject, Set<string>>();

function noteNull(object: LenientObject, name: string): void {
  const names = nullNames.get(object);
  if (names === undefined) nullNames.set(object, new Set([name]));
  else names.add(name);
}

/**
 * The items of a field that holds a list, each as it is, and the field itself if it is something else: that is not an
 * empty list. A single object counts as a list of one. Absent: no items.
 */
export function listedItems(
  object: LenientObject | null,
  name: string,
): { items: unknown[]; unreadable: UnreadableEvent[] } {
  const value = object?.get(lowerName(name));
  if (Array.isArray(value)) return { items: value, unreadable: [] };
  const isNull = object !== null && value === undefined && nullNames.get(object)?.has(lowerName(name)) === true;
  if (value === undefined && !isNull) return { items: [], unreadable: [] };
  const isObject = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (isObject) return { items: [value], unreadable: [] };
  return { items: [], unreadable: [{ raw: value ?? null, reason: `${name} is not a list` }] };
}

/** The first of these fields that holds a string or a number, as cleaned text. */
export function text(object: LenientObject | null, ...names: string[]): string | null {
  for (const name of names) {
    const value = object?.get(lowerName(name));
    const written = typeof value === 'string' ? plainText(value) : '';
    if (written !== '') return written;
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return null;
}

/**
 * Cleans untrusted text: one line, trimmed, at most 500 characters, without what Postgres rejects (U+0000, unpaired
 * surrogates).
 */
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

/** The objects of a field that holds a list. A single object counts as a list of one. */
export function children(object: LenientObject | null, name: string): LenientObject[] {
  const value = object?.get(lowerName(name));
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => readObject(item)).filter((item) => item !== null);
}

/** A field that holds a number, or a number as text. */
export function decimal(object: LenientObject | null, name: string): number | null {
  const written = text(object, name);
  const value = written === null ? Number.NaN : Number(written);
  return Number.isFinite(value) ? value : null;
}

function lowerName(name: string): string {
  const known = lowerNames.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (lowerNames.size < maxNames && name.length <= maxNameLength) lowerNames.set(name, lower);
  return lower;
}
