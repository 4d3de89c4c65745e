import { z } from 'zod';
import { plainReference, splitBl } from '../voyages/identifiers.ts';

const ms = z.int().min(0).max(600_000);

/** Faults that need no parameters. */
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

/**
 * Faults in what a parcel carrier says: a window that ends before it begins, weights that are no weights, 400 pieces, a
 * proof of delivery of 40 MB and one that is no image. They are scripted only: a random one would be part of the truth.
 */
export const contentFaults = [
  'reversed_window',
  'negative_weight',
  'worded_weight',
  'many_pieces',
  'huge_proof',
  'proof_not_image',
] as const;
export type ContentFault = (typeof contentFaults)[number];

/** A fault in a single response. */
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
  /** A few bytes at a time; the whole body takes `ms`. */
  z.strictObject({ kind: z.literal('drip'), ms: ms.default(60_000) }),
  /** No response; the connection closes after `ms`. */
  z.strictObject({ kind: z.literal('timeout'), ms: ms.default(120_000) }),
  z.strictObject({ kind: z.enum([...plainFaults, ...contentFaults, 'hold']) }),
]);

export type Fault = z.output<typeof faultSchema>;

/**
 * The requests that a fault applies to: those for a number, or any with `*`. With `path`, every request under that
 * path.
 */
export type FaultTarget = { reference: string; path: string | null };

/** Scripted faults and held requests. */
export type FaultScript = {
  /** Queues faults for a target. Each request takes one. */
  add: (target: FaultTarget, faults: Fault[]) => void;
  /** The next fault for a request to this path and these numbers. */
  take: (path: string, references: string[]) => Fault | null;
  clear: () => void;
  /** Resolves when this request is released. */
  hold: (references: string[]) => Promise<void>;
  /** Releases the held requests of a number, or all of them, and returns their count. */
  release: (reference: string | null) => number;
  heldCount: () => number;
  /** Resolves when at least this many requests are held. */
  waitForHeld: (atLeast: number) => Promise<void>;
};

/** Creates an empty script. */
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
      // A number's own faults take precedence over those for any number.
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

/** A number with and without the line's prefix shares one queue and one count. */
export function faultName(reference: string): string {
  return reference === '*' ? '*' : splitBl(plainReference(reference)).bare;
}
