import { createHash } from 'node:crypto';

/** A stream of choices that depends on its seed texts alone. */
export type Random = {
  /** A number in [least, most). */
  between: (least: number, most: number) => number;
  /** A whole number from least to most, both included. */
  whole: (least: number, most: number) => number;
  pick: <T>(items: readonly [T, ...T[]]) => T;
  /** True with this probability. */
  chance: (probability: number) => boolean;
};

/** A generator (sfc32) of its own for each list of texts, so that one more choice in one place changes nothing elsewhere. */
export function createRandom(...parts: string[]): Random {
  const seed = createHash('sha256').update(JSON.stringify(parts)).digest();
  let a = seed.readInt32LE(0);
  let b = seed.readInt32LE(4);
  let c = seed.readInt32LE(8);
  let counter = seed.readInt32LE(12);

  const fraction = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };

  return {
    between: (least, most) => least + fraction() * (most - least),
    whole: (least, most) => least + Math.floor(fraction() * (most - least + 1)),
    pick: (items) => items[Math.floor(fraction() * items.length)] ?? items[0],
    chance: (probability) => fraction() < probability,
  };
}

/** A UUID made of a text: the same text, the same UUID. */
export function uuidOf(...parts: string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A whole number below `limit` made of a text. */
export function numberOf(limit: number, ...parts: string[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUIntBE(0, 6) % limit;
}
