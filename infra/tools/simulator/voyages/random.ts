import { createHash } from 'node:crypto';

/** A deterministic stream of random choices, seeded with texts. */
export type Random = {
  /** A number in [min, max). */
  between: (min: number, max: number) => number;
  /** An integer from min to max, inclusive. */
  whole: (min: number, max: number) => number;
  pick: <T>(items: readonly [T, ...T[]]) => T;
  /** True with this probability. */
  chance: (probability: number) => boolean;
};

/**
 * A generator (sfc32) for each list of seed texts, so that an additional choice in one place doesn't affect another.
 */
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
    between: (min, max) => min + fraction() * (max - min),
    whole: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    pick: (items) => items[Math.floor(fraction() * items.length)] ?? items[0],
    chance: (probability) => fraction() < probability,
  };
}

/** A UUID derived from a text. The same text gives the same UUID. */
export function uuidOf(...parts: string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** An integer below `limit`, derived from a text. */
export function numberOf(limit: number, ...parts: string[]): number {
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUIntBE(0, 6) % limit;
}
