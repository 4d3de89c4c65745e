/**
 * A `timestamptz` as PostgreSQL writes it in UTC (`2026-03-01 09:00:00.123456+00`) as ISO UTC with milliseconds, without a `Date` in between,
 * which costs more than all else about a row. Other spellings go by `Date`.
 */
export function isoOfText(text: string): string {
  const isUsual =
    text.endsWith('+00') && text.charCodeAt(10) === 32 && (text.length === 22 || text.charCodeAt(19) === 46);
  if (!isUsual) return new Date(text).toISOString();
  const milliseconds = text.slice(20, -3).slice(0, 3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}
