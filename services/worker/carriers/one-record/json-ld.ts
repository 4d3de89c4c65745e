const maxDepth = 12;

/**
 * A JSON-LD value as plain JSON: the last part of each key (`cargo:eventCode`, `https://…#eventCode` → `eventCode`), typed values as
 * themselves (`{"@value": …}`), lists of one as their element. Servers write the same graph in all of these ways.
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

/** What stands after the last `#`, `/` or `:`. */
export function lastPart(iri: string): string {
  return iri.split(/[#/:]/).at(-1) || iri;
}
