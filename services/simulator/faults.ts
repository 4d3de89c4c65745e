import { z } from 'zod';
import { plainReference, splitBl } from './voyages/identifiers.ts';

/** What can go wrong with one answer. */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('too_many_requests'),
    retryAfter: z.enum(['seconds', 'date', 'none']).default('seconds'),
    seconds: z.int().min(0).default(1),
  }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.union([z.literal(401), z.literal(500), z.literal(502), z.literal(503), z.literal(504)]),
  }),
  z.strictObject({ kind: z.literal('slow_body'), ms: z.int().min(0).max(600_000) }),
  z.strictObject({
    kind: z.enum([
      'cut_connection',
      'html',
      'invalid_json',
      'empty_body',
      'duplicates',
      'shuffled',
      'vanished_event',
      'cursor_loop',
      'foreign_next_link',
      'wrapper_object',
      'unknown_event_type',
      'time_without_offset',
      'hold',
    ]),
  }),
]);

export type Fault = z.output<typeof faultSchema>;

/** Faults by script, the count of requests, and the requests that are held. */
export type FaultScript = {
  /** Adds faults to the queue of a number, or of any number with `*`; each request takes one. */
  add: (reference: string, faults: Fault[]) => void;
  /** The next fault for a request that concerns these numbers. */
  take: (references: string[]) => Fault | null;
  clear: () => void;
  countServed: (reference: string) => void;
  countOf: (reference: string) => number;
  served: () => Record<string, number>;
  /** Resolves when this request is let go. */
  hold: (references: string[]) => Promise<void>;
  /** Lets go the held requests of a number, or all of them; the count of those. */
  release: (reference: string | null) => number;
  heldCount: () => number;
  /** Resolves when at least so many requests are held. */
  waitForHeld: (atLeast: number) => Promise<void>;
};

/** An empty script. */
export function createFaultScript(): FaultScript {
  const queues = new Map<string, Fault[]>();
  const served = new Map<string, number>();
  const held = new Set<{ references: string[]; letGo: () => void }>();
  const waiting = new Set<{ atLeast: number; resolve: () => void }>();

  return {
    add: (reference, faults) => {
      const name = faultName(reference);
      queues.set(name, [...(queues.get(name) ?? []), ...faults]);
    },
    take: (references) => {
      for (const reference of [...references.map(faultName), '*']) {
        const fault = queues.get(reference)?.shift();
        if (fault) return fault;
      }
      return null;
    },
    clear: () => queues.clear(),
    countServed: (reference) => {
      const name = faultName(reference);
      served.set(name, (served.get(name) ?? 0) + 1);
    },
    countOf: (reference) => served.get(faultName(reference)) ?? 0,
    served: () => Object.fromEntries(served),
    hold: (references) =>
      new Promise((resolve) => {
        const entry = { references: references.map(faultName), letGo: resolve };
        held.add(entry);
        for (const waiter of waiting) {
          if (held.size >= waiter.atLeast) {
            waiting.delete(waiter);
            waiter.resolve();
          }
        }
      }),
    release: (reference) => {
      const chosen = [...held].filter((entry) => reference === null || entry.references.includes(faultName(reference)));
      for (const entry of chosen) {
        held.delete(entry);
        entry.letGo();
      }
      return chosen.length;
    },
    heldCount: () => held.size,
    waitForHeld: (atLeast) =>
      new Promise((resolve) => {
        if (held.size >= atLeast) resolve();
        else waiting.add({ atLeast, resolve });
      }),
  };
}

/** Numbers with and without the line's prefix share one queue and one count. */
function faultName(reference: string): string {
  return reference === '*' ? '*' : splitBl(plainReference(reference)).bare;
}
