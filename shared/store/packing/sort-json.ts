import { isStorable, storableJson } from './storable-json.ts';

/**
 * The text of a JSON value as PostgreSQL's jsonb stores and prints it: the names of an object by length and then by
 * bytes, a space behind each comma and colon, numbers as numerics, and nothing that is not storable.
 */
export function sortJson(value: unknown): string {
  const text = printed(value);
  return isStorable(text) ? text : printed(JSON.parse(storableJson(value)));
}

function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`;
  if (typeof value === 'number') return printedNumber(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => compareNames(left, right))
    .map(([name, member]) => `${JSON.stringify(name)}: ${printed(member)}`);
  return `{${members.join(', ')}}`;
}

/** Up to here, code units are bytes. Nearly all names are. */
const lastAscii = '\x7f';

/** The order of names in jsonb: by their length in bytes, then by the bytes. */
export function compareNames(left: string, right: string): number {
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
