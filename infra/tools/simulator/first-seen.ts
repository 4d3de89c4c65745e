import { plainReference } from './voyages/identifiers.ts';

/** When a number was first requested from a carrier, in epoch ms. */
export type SeenRecord = { carrier: string; reference: string; firstSeenMs: number };

export type FirstSeen = {
  /** When the number was first requested from this carrier. Returns now for a new number. */
  of: (carrier: string, reference: string, nowMs: number) => number;
  /** Returns whether the number was requested from this carrier. */
  has: (carrier: string, reference: string) => boolean;
  /** Overrides the first request time of a number at every carrier. */
  set: (reference: string, atMs: number) => void;
};

/** Records when numbers were first requested. `onChange` receives all records after each change. */
export function createFirstSeen(kept: readonly SeenRecord[], onChange: (records: SeenRecord[]) => void): FirstSeen {
  const records = new Map(kept.map((record) => [`${record.carrier}|${record.reference}`, { ...record }]));
  const overrides = new Map<string, number>();
  return {
    of: (carrier, reference, nowMs) => {
      const key = `${carrier}|${reference}`;
      const known = records.get(key);
      if (known) return known.firstSeenMs;
      const firstSeenMs = overrides.get(plainReference(reference)) ?? nowMs;
      records.set(key, { carrier, reference, firstSeenMs });
      onChange([...records.values()]);
      return firstSeenMs;
    },
    has: (carrier, reference) => records.has(`${carrier}|${reference}`),
    set: (reference, atMs) => {
      const plain = plainReference(reference);
      overrides.set(plain, atMs);
      for (const record of records.values()) if (plainReference(record.reference) === plain) record.firstSeenMs = atMs;
      onChange([...records.values()]);
    },
  };
}
