import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';

/**
 * The holder of a lock. `started` distinguishes a process from a later one with the same id, where the system provides
 * it.
 */
export type LockHolder = { pid: number; started: string | null; address: string | null };

/** A lock that this process holds. */
export type HeldLock = { held: true; setAddress: (address: string) => void; release: () => void };

/**
 * Takes a lock file without waiting. A lock of a process that has ended is replaced. Returns the holder when another
 * process has the lock.
 */
export function takeLock(path: string): HeldLock | { held: false; holder: LockHolder } {
  mkdirSync(dirname(path), { recursive: true });
  const mine: LockHolder = { pid: process.pid, started: processStart(process.pid), address: null };
  const draft = `${path}.${process.pid}`;
  for (;;) {
    if (createWhole(path, draft, mine)) {
      return {
        held: true,
        setAddress: (address) => {
          writeFileSync(draft, JSON.stringify({ ...mine, address }));
          renameSync(draft, path);
        },
        release: () => {
          if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true });
        },
      };
    }
    const holder = readHolder(path);
    if (holder && lives(holder)) return { held: false, holder };
    removeStale(path, holder);
  }
}

/** The running holder of a lock, or null. */
export function lockHolder(path: string): LockHolder | null {
  const holder = readHolder(path);
  return holder && lives(holder) ? holder : null;
}

/** True when a process with this id exists, under any user. */
export function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return processState(pid) !== 'Z';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function createWhole(path: string, draft: string, holder: LockHolder): boolean {
  writeFileSync(draft, JSON.stringify(holder));
  try {
    // A hard link appears with its content, so that no process reads an incomplete lock.
    linkSync(draft, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    return createExclusively(path, holder);
  } finally {
    rmSync(draft, { force: true });
  }
}

function createExclusively(path: string, holder: LockHolder): boolean {
  try {
    writeFileSync(path, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a stale lock, unless another process has replaced it since then. */
function removeStale(path: string, stale: LockHolder | null): void {
  const aside = `${path}.stale-${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved && lives(moved) && moved.pid !== stale?.pid) {
    try {
      linkSync(aside, path);
    } catch {
      // A third process has taken the lock.
    }
  }
  rmSync(aside, { force: true });
}

function readHolder(path: string): LockHolder | null {
  try {
    const { pid, started, address } = JSON.parse(readFileSync(path, 'utf8')) as Partial<LockHolder>;
    return typeof pid === 'number' ? { pid, started: started ?? null, address: address ?? null } : null;
  } catch {
    return null;
  }
}

function lives(holder: LockHolder): boolean {
  if (!processLives(holder.pid)) return false;
  const started = processStart(holder.pid);
  return holder.started === null || started === null || holder.started === started;
}

function processStart(pid: number): string | null {
  return processStat(pid)?.[19] ?? null;
}

function processState(pid: number): string | null {
  return processStat(pid)?.[0] ?? null;
}

/** Fields of /proc/<pid>/stat from the state on (proc(5)). Null without /proc. */
function processStat(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
