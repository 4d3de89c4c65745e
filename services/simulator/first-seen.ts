import { plainReference } from './voyages/identifiers.ts';

/** When a carrier was first asked for a number, epoch ms. */
export type SeenRecord = { carrier: string; reference: string; firstSeenMs: number };

export type FirstSeen = {
  /** When this carrier was first asked for the number: now, if it never was. */
  of: (carrier: string, reference: string, nowMs: number) => number;
  /** Says that a number was first asked for at `atMs` at every carrier, whether it was yet or not. */
  set: (reference: string, atMs: number) => void;
};

/** Remembers when numbers were first asked for. `onChange` is called with all of them when there is something new to keep. */
export function createFirstSeen(kept: readonly SeenRecord[], onChange: (records: SeenRecord[]) => void): FirstSeen {
  const records = new Map(kept.map((record) => [`${record.carrier}|${record.reference}`, { ...record }]));
  const told = new Map<string, number>();
  return {
    of: (carrier, reference, nowMs) => {
      const key = `${carrier}|${reference}`;
      const known = records.get(key);
      if (known) return known.firstSeenMs;
      const firstSeenMs = told.get(plainReference(reference)) ?? nowMs;
      records.set(key, { carrier, reference, firstSeenMs });
      onChange([...records.values()]);
      return firstSeenMs;
    },
    set: (reference, atMs) => {
      const plain = plainReference(reference);
      told.set(plain, atMs);
      for (const record of records.values()) if (plainReference(record.reference) === plain) record.firstSeenMs = atMs;
      onChange([...records.values()]);
    },
  };
}
