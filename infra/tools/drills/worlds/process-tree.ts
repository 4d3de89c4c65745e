import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

export type Listed = { pid: number; parent: number; command: string };

/** A process and all its descendants, the process first. Linux only. */
export function processTree(root: number): Listed[] {
  const all = listProcesses();
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

/** True for a running process. A zombie doesn't run. */
export function isAlive(pid: number): boolean {
  return statOf(pid) !== null;
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return pages * 4096;
  } catch {
    return 0;
  }
}

export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}

function listProcesses(): Listed[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
}

function statOf(pid: number): Listed | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return state === 'Z' || state === 'X' ? null : { pid, parent: Number(parent), command };
  } catch {
    return null;
  }
}
