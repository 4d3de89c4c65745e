const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let remainder = index;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  return remainder;
});

/** CRC-32 (IEEE 802.3) of the text's UTF-8 bytes, as an unsigned number. It detects typing errors, not attacks. */
export function crc32(text: string): number {
  let remainder = 0xffffffff;
  for (const byte of new TextEncoder().encode(text))
    remainder = (remainder >>> 8) ^ (table[(remainder ^ byte) & 255] ?? 0);
  return (remainder ^ 0xffffffff) >>> 0;
}
