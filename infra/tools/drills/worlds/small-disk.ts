import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Room for a new cluster with its log, and for a drill. */
const sizeMb = 400;
const block = Buffer.alloc(1 << 20);

/** A file system in memory that a drill can fill. Null if this user can't mount one. */
export type SmallDisk = { folder: string; close: () => void };

export function openSmallDisk(): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-drill-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder]);
  if (mounted.status !== 0) {
    rmdirSync(folder);
    return null;
  }
  return {
    folder,
    close: () => {
      spawnSync('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
}

/** Returns the reason why no small disk is possible, or null. */
export function smallDiskBlockedBy(): string | null {
  const disk = openSmallDisk();
  disk?.close();
  return disk === null ? 'mounting a small file system needs the rights of root' : null;
}

/** Writes until the disk is full. The returned function makes room again. */
export function fillDisk(folder: string): () => void {
  const file = join(folder, 'filler');
  const descriptor = openSync(file, 'w');
  try {
    // The last write is partial, or fails.
    while (writeSync(descriptor, block) === block.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(descriptor);
  }
  return () => rmSync(file);
}
