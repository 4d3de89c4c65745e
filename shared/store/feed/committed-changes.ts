import type pg from 'pg';
import type { Store, Tx } from '../open-store.ts';

const hasWritten = Symbol('transaction has written changes');
type Marked = Tx & { [hasWritten]?: boolean };

const listeners = new WeakMap<pg.Pool, () => void>();

/** Calls the listener after each transaction of this process that committed changes, before they have a sequence. */
export function onCommittedChanges({ app, system }: Pick<Store, 'app' | 'system'>, listener: () => void): void {
  listeners.set(app, listener);
  listeners.set(system, listener);
}

/** Notes that the transaction has written changes. */
export function noteWrittenChanges(tx: Marked): void {
  tx[hasWritten] = true;
}

/** Forgets what the transaction has written, and returns whether there was anything. */
export function takeWrittenChanges(tx: Marked): boolean {
  const written = tx[hasWritten] === true;
  tx[hasWritten] = false;
  return written;
}

export function announceCommittedChanges(pool: pg.Pool): void {
  listeners.get(pool)?.();
}
