const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Every 10 bits as two characters. A table, because ids are encoded and decoded several times per request. */
const pairs = Array.from({ length: 1024 }, (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31));
const valueOfPair = new Map(pairs.map((pair, bits) => [pair, bits]));
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * The public id of a uuid: `prefix_` and 26 characters of lower-case Crockford base32 (TypeID 0.3). Throws RangeError
 * if the text isn't a uuid.
 */
export function encodeTypeId(prefix: string, uuid: string): string {
  const lower = uuid.toLowerCase();
  if (!uuidPattern.test(lower)) throw new RangeError('not a uuid');
  const hex = lower.slice(0, 8) + lower.slice(9, 13) + lower.slice(14, 18) + lower.slice(19, 23) + lower.slice(24);
  // 128 bits and two leading zero bits make 26 characters of 5 bits: the first byte is one pair, then five hex digits
  // are two pairs.
  let id = `${prefix}_${pairs[Number.parseInt(hex.slice(0, 2), 16)]}`;
  for (let index = 2; index < 32; index += 5) {
    const bits = Number.parseInt(hex.slice(index, index + 5), 16);
    id += `${pairs[bits >> 10]}${pairs[bits & 1023]}`;
  }
  return id;
}

/** The uuid of a public id with this prefix. Null: the text isn't one. Upper case isn't accepted. */
export function decodeTypeId(prefix: string, text: string): string | null {
  if (text.length !== prefix.length + 27 || !text.startsWith(`${prefix}_`)) return null;
  const start = prefix.length + 1;
  const first = valueOfPair.get(text.slice(start, start + 2));
  if (first === undefined || first > 255) return null;
  let hex = hexOfByte[first] ?? '';
  for (let index = start + 2; index < text.length; index += 4) {
    const high = valueOfPair.get(text.slice(index, index + 2));
    const low = valueOfPair.get(text.slice(index + 2, index + 4));
    if (high === undefined || low === undefined) return null;
    hex += ((high << 10) | low).toString(16).padStart(5, '0');
  }
  return formatUuid(hex);
}

/** A UUIDv7 (RFC 9562) of this time, in milliseconds since 1970, from at least 10 random bytes. */
export function uuidv7(nowMs: number, random: Uint8Array): string {
  if (random.length < 10) throw new RangeError('uuidv7 needs 10 random bytes');
  let hex = Math.floor(nowMs).toString(16).padStart(12, '0');
  for (let index = 0; index < 10; index++) {
    const byte = random[index] ?? 0;
    const marked = index === 0 ? (byte & 0x0f) | 0x70 : index === 2 ? (byte & 0x3f) | 0x80 : byte;
    hex += hexOfByte[marked];
  }
  return formatUuid(hex);
}

function formatUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
