import { mkdirSync, promises, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { type Subscription, subscriptionSchema } from './carrier-subscriptions/subscription-book.ts';
import type { SeenRecord } from './first-seen.ts';
import type { VoyageRecord } from './ocean/known-voyages.ts';
import { type ReceiverState, receiverStateSchema } from './receiver/receiver-book.ts';
import { findLine } from './voyages/fleet.ts';

const stateSchema = z.object({
  version: z.literal(1),
  subscriptions: z.array(subscriptionSchema).default([]),
  receivers: z.array(receiverStateSchema).default([]),
  voyages: z.array(
    z.object({
      scac: z.string().refine((scac) => findLine(scac) !== null),
      guessed: z.boolean(),
      kind: z.enum(['bl', 'booking', 'container']),
      reference: z.string().min(1),
      firstSeenMs: z.number(),
    }),
  ),
  seen: z.array(z.object({ carrier: z.string(), reference: z.string(), firstSeenMs: z.number() })).default([]),
});

type Kept = {
  voyages: VoyageRecord[];
  seen: SeenRecord[];
  subscriptions: Subscription[];
  receivers: ReceiverState[];
};

/** Stores the voyages started so far, the subscriptions and the receivers' settings, so that they survive a restart. */
export type StateFile = {
  kept: Kept;
  /** Schedules a write of these values with everything else that is stored. Calls close together cause one write. */
  saveSoon: (changes: Partial<Kept>) => void;
  /** Writes pending changes. */
  close: () => Promise<void>;
};

const batchMs = 200;

/** Opens the file, which may not exist yet. An unreadable file is renamed. `null` stores nothing. */
export function openStateFile(path: string | null): StateFile {
  if (path === null) return { kept: nothing(), saveSoon: () => {}, close: async () => {} };
  mkdirSync(dirname(path), { recursive: true });
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  const kept = readKept(path);
  let unsaved: Kept = kept;

  const save = (): void => {
    timer = null;
    writing = writing.then(() => replaceFile(path, unsaved)).catch(printFailure);
  };
  const saveSoon = (changed: Partial<Kept>): void => {
    unsaved = { ...unsaved, ...changed };
    timer ??= setTimeout(save, batchMs).unref();
  };
  return {
    kept,
    saveSoon,
    close: async () => {
      if (timer) {
        clearTimeout(timer);
        save();
      }
      await writing;
    },
  };
}

async function replaceFile(path: string, kept: Kept): Promise<void> {
  await promises.writeFile(`${path}.new`, JSON.stringify({ version: 1, ...kept }));
  await promises.rename(`${path}.new`, path);
}

function readKept(path: string): Kept {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return nothing();
    throw error;
  }
  try {
    const { version: _version, ...kept } = stateSchema.parse(JSON.parse(text));
    return kept;
  } catch {
    renameSync(path, `${path}.broken`);
    process.stderr.write(`the simulator could not read ${path}; renamed it to ${path}.broken\n`);
    return nothing();
  }
}

function nothing(): Kept {
  return { voyages: [], seen: [], subscriptions: [], receivers: [] };
}

function printFailure(error: unknown): void {
  process.stderr.write(`the simulator could not save its voyages: ${String(error)}\n`);
}
