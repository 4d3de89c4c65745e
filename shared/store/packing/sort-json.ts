/**
 * JSON text as PostgreSQL's jsonb prints it, from JSON text: the names of an object by length and then by bytes (of
 * equal names the last), a space behind each comma and colon, and numbers as numerics.
 */
export function sortJson(json: string): string {
  return printed(JSON.parse(json));
}

function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`;
  if (typeof value === 'number') return printedNumber(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).map((name) => ({ name, bytes: Buffer.from(name) }));
  names.sort((left, right) => left.bytes.length - right.bytes.length || Buffer.compare(left.bytes, right.bytes));
  const members = names.map(
    ({ name }) => `${JSON.stringify(name)}: ${printed((value as Record<string, unknown>)[name])}`,
  );
  return `{${members.join(', ')}}`;
}

/** JavaScript writes 1e21 and 1e-7; a numeric has no exponent. */
function printedNumber(value: number): string {
  const text = JSON.stringify(value);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? [];
  if (exponent === '0') return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point >= digits.length) return sign + digits.padEnd(point, '0');
  return `${sign}0.${'0'.repeat(-point)}${digits}`;
}
