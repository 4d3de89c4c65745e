import { z } from 'zod';
import { plainReference, splitBl } from '../voyages/identifiers.ts';

const ms = z.int().min(0).max(600_000);

/** Faults that need nothing more than their name. */
export const plainFaults = [
  'cut_connection',
  'reset',
  'endless_body',
  'html',
  'invalid_json',
  'truncated_json',
  'empty_body',
  'gzip_lie',
  'duplicates',
  'shuffled',
  'vanished_event',
  'shared_event_id',
  'missing_event_id',
  'time_without_offset',
  'local_time_stamped_utc',
  'number_for_string',
  'empty_strings',
  'unknown_event_type',
  'wrapper_object',
  'cursor_loop',
  'foreign_next_link',
  'token_expired',
  'secret_changed',
] as const;

/** What can go wrong with one answer. */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('too_many_requests'),
    retryAfter: z.enum(['seconds', 'date', 'none']).default('seconds'),
    seconds: z.int().min(0).default(1),
  }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.union([401, 403, 408, 500, 502, 503, 504].map((status) => z.literal(status))),
  }),
  /** Half of the body, and the rest after `ms`. */
  z.strictObject({ kind: z.literal('slow_body'), ms }),
  /** A few bytes at a time; the whole takes `ms`. */
  z.strictObject({ kind: z.literal('drip'), ms: ms.default(60_000) }),
  /** No answer at all; the connection ends after `ms`. */
  z.strictObject({ kind: z.literal('timeout'), ms: ms.default(120_000) }),
  z.strictObject({ kind: z.enum([...plainFaults, 'hold']) }),
]);

export type Fault = z.output<typeof faultSchema>;

/** Which requests a fault is for: those of a number, or with `*` of any; with `path` those under it alone, whatever they are about. */
export type FaultTarget = { reference: string; path: string | null };

/** Faults by script, and the requests that are held. */
export type FaultScript = {
  /** Adds faults to the queue of a target; each request takes one. */
  add: (target: FaultTarget, faults: Fault[]) => void;
  /** The next fault for a request to this path that concerns these numbers. */
  take: (path: string, references: string[]) => Fault | null;
  clear: () => void;
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
  const queues = new Map<string, FaultTarget & { faults: Fault[] }>();
  const held = new Set<{ references: string[]; letGo: () => void }>();
  const waiting = new Set<{ atLeast: number; resolve: () => void }>();

  return {
    add: ({ reference, path }, faults) => {
      const name = faultName(reference);
      const key = `${name} ${path ?? ''}`;
      const queue = queues.get(key) ?? { reference: name, path, faults: [] };
      queue.faults.push(...faults);
      queues.set(key, queue);
    },
    take: (path, references) => {
      const names = references.map(faultName);
      const forThis = [...queues.values()].filter(
        (queue) =>
          queue.faults.length > 0 &&
          (queue.path === null ? names.length > 0 : path.startsWith(queue.path)) &&
          (queue.reference === '*' || names.includes(queue.reference)),
      );
      // A number's own faults come before those for any.
      return (forThis.find(({ reference }) => reference !== '*') ?? forThis[0])?.faults.shift() ?? null;
    },
    clear: () => queues.clear(),
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
export function faultName(reference: string): string {
  return reference === '*' ? '*' : splitBl(plainReference(reference)).bare;
}
