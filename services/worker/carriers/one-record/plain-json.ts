import { child, type LenientObject, text } from '../lenient-object.ts';

const maxDepth = 12;

/**
 * Converts JSON-LD to plain JSON: the last part of each key (`cargo:eventCode`, `https://…#eventCode` → `eventCode`),
 * the bare value of typed values (`{"@value": …}`), and the element of one-element lists. Servers serialize the same
 * graph in all of these ways.
 */
export function plainJson(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return null;
  if (Array.isArray(value)) {
    const items = value.map((item) => plainJson(item, depth + 1));
    return items.length === 1 ? items[0] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  if ('@value' in value) return plainJson(value['@value'], depth + 1);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [lastPart(key), plainJson(part, depth + 1)]));
}

/** The part after the last `#`, `/` or `:`. */
export function lastPart(iri: string): string {
  return iri.split(/[#/:]/).at(-1) || iri;
}

/** A field that is a text, a reference or a code list element. */
export function identifier(object: LenientObject | null, name: string): string | null {
  const own = child(object, name);
  return text(object, name) ?? text(own, '@id') ?? text(own, 'code');
}
