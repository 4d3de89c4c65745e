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
  const members = Object.keys(value)
    .sort(compareNames)
    .map((name) => `${JSON.stringify(name)}: ${printed((value as Record<string, unknown>)[name])}`);
  return `{${members.join(', ')}}`;
}

/** Up to here, code units are bytes. Nearly all names are. */
const lastAscii = '\x7f';

function compareNames(left: string, right: string): number {
  if (isAscii(left) && isAscii(right)) return left.length - right.length || (left < right ? -1 : 1);
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length - other.length || Buffer.compare(one, other);
}

function isAscii(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) if (name.charAt(index) > lastAscii) return false;
  return true;
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
