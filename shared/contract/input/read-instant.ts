const momentPattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+ -]\d{2}:?\d{2}))?$/i;

/**
 * Reads a date (`2026-04-15`, in UTC) or a time with an offset (RFC 3339) as an ISO UTC instant; null for anything
 * else. A date is its first millisecond, or its last one at the end of a range. Accepts a `+` that a query string
 * turned into a space.
 */
export function readInstant(text: string, edge: 'from' | 'to'): string | null {
  const match = momentPattern.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, , , offset] = match;
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== Number(day)) return null;
  if (hour === undefined) return instantText(edge === 'from' ? midnight : midnight + 86_399_999);
  const instant = Date.parse(
    text
      .toUpperCase()
      .replace(' ', '+')
      .replace(/([+-]\d{2})(\d{2})$/, '$1:$2'),
  );
  return Number.isNaN(instant) || offset === undefined ? null : instantText(instant);
}

/** Null outside the years 1 to 9999, where the text has another form or Postgres can't read it. */
function instantText(instant: number): string | null {
  const text = new Date(instant).toISOString();
  return /^\d{4}-/.test(text) && !text.startsWith('0000') ? text : null;
}
