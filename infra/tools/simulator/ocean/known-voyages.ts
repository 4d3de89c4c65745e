import { isFast, virtualNow, voyageStart } from '../voyages/clock.ts';
import type { DcsaEvent } from '../voyages/event.ts';
import { eventsAt } from '../voyages/events-at.ts';
import { guessLine, isUnknown, plainReference, type ReferenceKind, splitBl } from '../voyages/identifiers.ts';
import { planVoyage, type Voyage } from '../voyages/voyage.ts';

/** A requested number and its kind, as given by the client. */
export type RequestedNumber = { kind: ReferenceKind; reference: string };

/** Stored part of a voyage. Everything else follows from the seed. */
export type VoyageRecord = {
  scac: string;
  /** The line was guessed, so any other line's prefix finds the voyage too. */
  guessed: boolean;
  kind: ReferenceKind;
  reference: string;
  firstSeenMs: number;
};

export type KnownVoyages = {
  /**
   * The voyages of these numbers. New numbers start a voyage. `scac` is the endpoint's only line, or null. Numbers that
   * contain `404` have none.
   */
  find: (asked: RequestedNumber, scac: string | null) => VoyageRecord | null;
  /** The voyages started so far that have this number, of any kind. */
  lookUp: (reference: string, scac: string | null) => VoyageRecord[];
  /** The most recently started voyages of a line, or of all lines, newest last. */
  latest: (count: number, scac: string | null) => VoyageRecord[];
  voyageOf: (record: VoyageRecord) => Voyage;
  /** When the voyage started, and how far it is at this real time. All in epoch ms. */
  momentOf: (record: VoyageRecord, nowMs: number) => { startMs: number; virtualMs: number };
  /** Returns the events that the carrier has published at this real time (epoch ms). */
  publishedAt: (record: VoyageRecord, nowMs: number) => DcsaEvent[];
  /** Overrides when a number was first requested. */
  setFirstSeen: (reference: string, atMs: number) => void;
};

const cachedVoyages = 2000;

/** The voyages started so far, indexed by all of their numbers. `onChange` receives all of them after each change. */
export function createKnownVoyages(options: {
  seed: string;
  voyageS: number;
  now: () => number;
  kept: VoyageRecord[];
  onChange: (records: VoyageRecord[]) => void;
}): KnownVoyages {
  const { seed, voyageS, now, onChange } = options;
  const records: VoyageRecord[] = [];
  const byReference = new Map<string, VoyageRecord[]>();
  const firstSeen = new Map<string, number>();
  const cache = new Map<VoyageRecord, Voyage>();

  const voyageOf = (record: VoyageRecord): Voyage => {
    const voyage = cache.get(record) ?? planVoyage(seed, record.scac, record.kind, record.reference);
    cache.delete(record);
    cache.set(record, voyage);
    const oldest = cache.keys().next().value;
    if (cache.size > cachedVoyages && oldest) cache.delete(oldest);
    return voyage;
  };

  const add = (record: VoyageRecord): void => {
    records.push(record);
    const { bl, booking, containers } = voyageOf(record).identifiers;
    for (const reference of new Set([splitBl(bl).bare, booking, ...containers])) {
      const sameReference = byReference.get(reference) ?? [];
      sameReference.push(record);
      byReference.set(reference, sameReference);
    }
  };
  for (const record of options.kept) add(record);

  const find: KnownVoyages['find'] = (asked, endpointScac) => {
    const plain = plainReference(asked.reference);
    const { bare, line: prefixLine } = asked.kind === 'bl' ? splitBl(plain) : { bare: plain, line: null };
    if (isUnknown(plain) || bare === '') return null;
    const scac = endpointScac ?? prefixLine?.scac ?? null;
    const known = byReference
      .get(bare)
      ?.find((record) => scac === null || record.scac === scac || (record.guessed && endpointScac === null));
    if (known) return known;
    const record: VoyageRecord = {
      scac: scac ?? guessLine(asked.kind, bare).scac,
      guessed: scac === null,
      kind: asked.kind,
      reference: asked.kind === 'bl' && endpointScac === 'MAEU' ? bare : plain,
      firstSeenMs: firstSeen.get(bare) ?? now(),
    };
    add(record);
    onChange(records);
    return record;
  };

  const lookUp: KnownVoyages['lookUp'] = (reference, scac) => {
    const plain = plainReference(reference);
    const found = [plain, splitBl(plain).bare].flatMap((text) => byReference.get(text) ?? []);
    return [...new Set(found)].filter((record) => scac === null || record.scac === scac);
  };

  const momentOf: KnownVoyages['momentOf'] = (record, nowMs) => {
    const voyage = voyageOf(record);
    const fast = isFast(record.reference);
    return {
      startMs: voyageStart(voyage, fast, record.firstSeenMs),
      virtualMs: virtualNow(voyage, fast, record.firstSeenMs, voyageS, nowMs),
    };
  };

  const publishedAt: KnownVoyages['publishedAt'] = (record, nowMs) => {
    const { startMs, virtualMs } = momentOf(record, nowMs);
    return eventsAt(voyageOf(record), startMs, virtualMs);
  };

  const setFirstSeen: KnownVoyages['setFirstSeen'] = (reference, atMs) => {
    const { bare } = splitBl(reference);
    const plain = plainReference(reference);
    for (const text of [bare, plain]) {
      firstSeen.set(text, atMs);
      for (const record of byReference.get(text) ?? []) record.firstSeenMs = atMs;
    }
    onChange(records);
  };

  const latest: KnownVoyages['latest'] = (count, scac) =>
    (scac === null ? records : records.filter((record) => record.scac === scac)).slice(-count);

  return { find, lookUp, latest, voyageOf, momentOf, publishedAt, setFirstSeen };
}
