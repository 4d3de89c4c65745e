import type pg from 'pg';
import type { Store } from './open-store.ts';

/** Pools on which a write failed because the disk of the database was full. */
const fullPools = new WeakSet<pg.Pool>();

export function noteFullDisk(pool: pg.Pool): void {
  fullPools.add(pool);
}

/** True from the first write that found the disk full until `forgetFullDisk`. */
export function sawFullDisk(store: Store): boolean {
  return poolsOf(store).some((pool) => fullPools.has(pool));
}

export function forgetFullDisk(store: Store): void {
  for (const pool of poolsOf(store)) fullPools.delete(pool);
}

function poolsOf({ app, reads, system, auth }: Store): pg.Pool[] {
  return [app, reads, system, auth];
}
