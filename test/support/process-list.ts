import { readdirSync, readFileSync } from 'node:fs';

export type ListedProcess = { pid: number; parent: number; command: string };

/** Every running process, from /proc: slim images have no ps. */
export function listProcesses(): ListedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): ListedProcess[] => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), command }];
      } catch {
        // It has just ended.
        return [];
      }
    });
}
