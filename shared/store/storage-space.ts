import { LandfallError } from '#shared/domain/errors.ts';
import { forgetFullDisk } from './full-pools.ts';
import type { Store } from './open-store.ts';
import { withSystem } from './with-account.ts';

/**
 * Checks if the disk of the database is full. Writes half a megabyte into a temporary file: rows may still fit into
 * pages with free space, and writing them would leave something behind. Throws LandfallError `unavailable`.
 */
export async function isStorageFull(store: Store): Promise<boolean> {
  try {
    await withSystem(store, async (tx) => {
      await tx.query(`set local work_mem = '64kB'`);
      await tx.query('select count(*) from generate_series(1, 20000)');
    });
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'storage_full') return true;
    throw error;
  }
  forgetFullDisk(store);
  return false;
}
