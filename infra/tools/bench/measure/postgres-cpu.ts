import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Clock ticks per second of `/proc`, the same on every Linux that Node supports. */
const ticksPerS = 100;

/**
 * CPU time of a PostgreSQL server on this machine, in microseconds: of all its processes, those that have ended
 * included. Null: its data folder or `/proc` can't be read.
 */
export function readPostgresCpu(dataFolder: string): number | null {
  try {
    const postmaster = Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
    let ticks = 0;
    for (const name of readdirSync('/proc')) if (/^\d+$/.test(name)) ticks += ticksOf(Number(name), postmaster);
    return (ticks / ticksPerS) * 1_000_000;
  } catch {
    return null;
  }
}

/** 0 for a process that doesn't belong to the server or has ended. Columns: proc(5), `/proc/pid/stat`. */
function ticksOf(pid: number, postmaster: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  // The name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parent = 0, own = 0, ofEnded = 0] = [fields[1], sum(fields, [11, 12]), sum(fields, [13, 14])].map(Number);
  if (pid === postmaster) return own + ofEnded;
  return parent === postmaster ? own : 0;
}

function sum(fields: readonly string[], places: readonly number[]): number {
  return places.reduce((total, place) => total + Number(fields[place]), 0);
}
