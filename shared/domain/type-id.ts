const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** Every 10 bits as two characters. A table, because ids are encoded and decoded several times per request. */
const pairs = Array.from({ length: 1024 }, (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31));
const valueOfPair = new Map(pairs.map((pair, bits) => [pair, bits]));
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Positions of a uuid's 32 hex digits, without its hyphens. */
const digitPlaces = Array.from('xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx').flatMap((mark, place) =>
  mark === 'x' ? [place] : [],
);
const hyphenPlaces = [8, 13, 18, 23];
/** By character code, in both cases. Negative: not a hex digit. */
const digitOfCode = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);

/**
 * The public id of a uuid: `prefix_` and 26 characters of lower-case Crockford base32 (TypeID 0.3). Throws RangeError
 * if the text isn't a uuid.
 */
export function encodeTypeId(prefix: string, uuid: string): string {
  const isShaped = uuid.length === 36 && hyphenPlaces.every((place) => uuid.charCodeAt(place) === 45);
  // 128 bits and two leading zero bits make 26 characters of 5 bits: the first byte is one pair, then five hex digits
  // are two pairs.
  const first = bitsOf(uuid, 0, 2);
  let id = `${prefix}_${pairs[first]}`;
  let allBits = first;
  for (let index = 2; index < 32; index += 5) {
    const bits = bitsOf(uuid, index, index + 5);
    allBits |= bits;
    id += `${pairs[bits >> 10]}${pairs[bits & 1023]}`;
  }
  if (!isShaped || allBits < 0) throw new RangeError('not a uuid');
  return id;
}

/** The bits of some hex digits of a uuid. Negative: one of them isn't a hex digit. */
function bitsOf(uuid: string, from: number, to: number): number {
  let bits = 0;
  for (let index = from; index < to; index++) {
    const digit = digitOfCode[uuid.charCodeAt(digitPlaces[index] as number)] ?? -1;
    bits = digit < 0 || bits < 0 ? -1 : (bits << 4) | digit;
  }
  return bits;
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
