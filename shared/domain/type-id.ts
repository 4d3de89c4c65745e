const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const valueOfCharacter = new Map([...alphabet].map((character, value) => [character, value]));
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Public id of a uuid: `prefix_` and 26 characters of lower-case Crockford base32 (TypeID 0.3). Throws RangeError on text that is no uuid. */
export function encodeTypeId(prefix: string, uuid: string): string {
  const lower = uuid.toLowerCase();
  if (!uuidPattern.test(lower)) throw new RangeError('not a uuid');
  const hex = lower.replaceAll('-', '');
  let suffix = '';
  // 128 bits fill 26 characters of 5 bits once two zero bits are put in front.
  let pending = 0;
  let pendingBits = 2;
  for (let index = 0; index < 32; index += 2) {
    pending = ((pending << 8) | Number.parseInt(hex.slice(index, index + 2), 16)) & 0xfff;
    pendingBits += 8;
    while (pendingBits >= 5) {
      pendingBits -= 5;
      suffix += alphabet[(pending >> pendingBits) & 31];
    }
  }
  return `${prefix}_${suffix}`;
}

/** The uuid of a public id with this prefix, or null when the text is not one (upper case is not one either). */
export function decodeTypeId(prefix: string, text: string): string | null {
  if (text.length !== prefix.length + 27 || !text.startsWith(`${prefix}_`)) return null;
  const suffix = text.slice(prefix.length + 1);
  if (suffix.charAt(0) > '7') return null;
  let hex = '';
  let pending = 0;
  let pendingBits = -2;
  for (const character of suffix) {
    const value = valueOfCharacter.get(character);
    if (value === undefined) return null;
    pending = ((pending << 5) | value) & 0xfff;
    pendingBits += 5;
    if (pendingBits >= 8) {
      pendingBits -= 8;
      hex += ((pending >> pendingBits) & 255).toString(16).padStart(2, '0');
    }
  }
  return formatUuid(hex);
}

/** A UUIDv7 (RFC 9562) of this moment, in milliseconds since 1970, from at least 10 random bytes. */
export function uuidv7(nowMs: number, random: Uint8Array): string {
  if (random.length < 10) throw new RangeError('uuidv7 needs 10 random bytes');
  const time = Math.floor(nowMs).toString(16).padStart(12, '0');
  const bytes = Uint8Array.from(random.subarray(0, 10));
  bytes[0] = ((bytes[0] ?? 0) & 0x0f) | 0x70;
  bytes[2] = ((bytes[2] ?? 0) & 0x3f) | 0x80;
  return formatUuid(time + [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
}

function formatUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
