import type { FileUsage } from './measure-file.ts';

export type FileTiming = { file: string; project: string; tests: number } & FileUsage;

/** Of one file in the short form. */
export const maxFileMs = 20_000;
const shownFiles = 10;

/**
 * Returns the time of a file on the idle reference machine: its CPU time, or the time in which no process waited for a
 * CPU if that is more, because the file then waited for something else. Other work on the machine raises neither.
 */
export function fileMs({ cpuMs, uncontendedMs }: FileUsage): number {
  return Math.max(cpuMs, uncontendedMs);
}

/** One line for each file over the limit. */
export function filesOverLimit(files: readonly FileTiming[]): string[] {
  return bySize(files.filter((file) => fileMs(file) > maxFileMs)).map(lineOf);
}

/** The lines of the slowest files, slowest first. */
export function slowestFiles(files: readonly FileTiming[]): string[] {
  return bySize(files).slice(0, shownFiles).map(lineOf);
}

/** `timings.json`: a line for each file, slowest first, and the CPU time of the whole run. */
export function timingsText(files: readonly FileTiming[], cpu: { testsMs: number; postgresMs: number }): string {
  const rows = bySize(files).map((file) => `    ${JSON.stringify(file)}`);
  return `{\n  "cpu": ${JSON.stringify(cpu)},\n  "files": [\n${rows.join(',\n')}\n  ]\n}\n`;
}

function bySize(files: readonly FileTiming[]): FileTiming[] {
  return files.toSorted((a, b) => fileMs(b) - fileMs(a));
}

function lineOf(timing: FileTiming): string {
  const { file, project, tests, cpuMs, wallMs } = timing;
  return `${seconds(fileMs(timing))}  ${file} (${project}, ${tests} tests, CPU ${seconds(cpuMs)}, clock ${seconds(wallMs)})`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
