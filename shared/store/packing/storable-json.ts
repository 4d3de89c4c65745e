/** Possible traces of U+0000 or an unpaired surrogate in JSON text. The text may also contain the escape literally. */
const maybeUnstorable = /\\u(?:0000|d[89a-f])/;
/** Matches every escape as a whole, so that an escaped backslash before `u0000` is left alone. */
const escapes = /\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|.)/g;

/**
 * The JSON text of a value. PostgreSQL rejects U+0000 and unpaired surrogates, which JSON allows in values and names. A
 * carrier's stray NUL must not lose the event.
 */
export function storableJson(value: unknown): string {
  const written = JSON.stringify(value);
  if (isStorable(written)) return written;
  return written.replace(escapes, (part) => (maybeUnstorable.test(part) ? '\ufffd' : part));
}

/** True when PostgreSQL takes this JSON text as it is. */
export function isStorable(json: string): boolean {
  return !maybeUnstorable.test(json);
}
