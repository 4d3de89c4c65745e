import type { Channel, Timing } from './alert.ts';
import type { EntryFacts } from './entry.ts';

/** A message as a channel composes it. Texts are plain; each channel escapes them in its own way. */
export type OutgoingMessage = {
  /** A uuid. */
  id: string;
  channel: Channel;
  timing: Timing;
  kind: 'changes' | 'trial';
  test: boolean;
  accountName: string;
  recipient: { name: string; email: string };
  /** The first ones. */
  entries: readonly { key: string; facts: EntryFacts }[];
  /** Number of all entries. */
  count: number;
  /** ISO UTC. */
  createdAt: string;
  /** The recipient's. */
  timeZone: string;
  links: {
    /** Base of the entries' paths, without a slash at the end. */
    base: string;
    /** `?…`, which names account and mode. */
    query: string;
    /** The message in the dashboard. */
    message: string;
    settings: string;
    /** Needs no sign-in. Null: not a mail. */
    unsubscribe: string | null;
  };
};

/** Address of a channel, in plain text: never log or return it. */
export type OutgoingAddress = { url: string; secret: string | null; test: boolean };

/** The outcome of sending. `refused`: trying again is no use. */
export type SendResult =
  | { outcome: 'sent' }
  | { outcome: 'refused' | 'failed'; error: string; retryAfterMs?: number | null };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const waits = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 4 * hourMs, 12 * hourMs, 24 * hourMs];

/** Milliseconds until the next try after so many. Null: it has failed. */
export function nextTryIn(tries: number): number | null {
  return waits[tries - 1] ?? null;
}
