import { readdirSync, readFileSync } from 'node:fs';

/** Of /proc's clock: 100 on every Linux that Node runs on. */
const msPerTick = 10;

/**
 * The CPU time in ms that a process and all its descendants have taken so far, those that have ended included. Zero
 * where there is no /proc.
 */
export function cpuMsOfTree(root: number, without: readonly string[] = []): number {
  const processes = readProcesses();
  const children = Map.groupBy(processes.values(), ({ parent }) => parent);
  let ticks = 0;
  const waiting = [root];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const process = processes.get(pid);
    if (process === undefined || without.includes(process.name)) continue;
    ticks += process.ticks;
    waiting.push(...(children.get(pid) ?? []).map((child) => child.pid));
  }
  return ticks * msPerTick;
}

type ProcessUsage = { pid: number; parent: number; name: string; ticks: number };

function readProcesses(): Map<number, ProcessUsage> {
  const found = new Map<number, ProcessUsage>();
  for (const entry of listPids()) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const nameEnd = stat.lastIndexOf(')');
      const fields = stat.slice(nameEnd + 2).split(' ');
      // utime, stime, and those of the children that were waited for.
      const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
      const name = stat.slice(stat.indexOf('(') + 1, nameEnd);
      found.set(Number(entry), { pid: Number(entry), parent: Number(fields[1]), name, ticks });
    } catch {
      // It has just ended.
    }
  }
  return found;
}

function listPids(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Returns the time in ms that processes have waited for a CPU so far. Null where the kernel doesn't count it. */
export function contendedMs(): number | null {
  try {
    const total = /^some .*total=(\d+)/m.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1];
    return total === undefined ? null : Number(total) / 1000;
  } catch {
    return null;
  }
}
