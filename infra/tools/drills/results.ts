import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '#infra/data-folder.ts';
import { drills } from './drill-catalogue.ts';
import type { DrillResult } from './perform-drill.ts';
import type { Backend, Shape } from './worlds/world.ts';

export type RunKey = { drill: string; shape: Shape; backend: Backend; round?: number };

/** One run as it is stored. `load` is the machine's at the end of the run. */
export type RecordedRun = DrillResult & {
  machine: { cpu: string; cores: number; memoryGb: number; node: string; load: number };
};

/** Finished runs of an unfinished call. */
export type Progress = {
  done: number;
  isDone: (key: RunKey) => boolean;
  finish: (key: RunKey) => void;
  /** Every run was done: the next call starts anew. */
  close: () => void;
};

const folder = join(projectFolder, 'infra', 'tools', 'drills', 'results');
/** Git ignores it. */
const unfinished = join(folder, 'unfinished.json');
const page = join(projectFolder, 'docs', 'operate', 'reliability.md');
const [begin, end] = ['<!-- results of the drills: begin -->', '<!-- results of the drills: end -->'];

/** The progress of an interrupted call with the same runs, or a new one. */
export function openProgress(keys: readonly RunKey[], startsAnew: boolean): Progress {
  const wanted = keys.map(textOf);
  const stored = existsSync(unfinished) && !startsAnew ? JSON.parse(readFileSync(unfinished, 'utf8')) : null;
  const resumes = stored !== null && JSON.stringify(stored.wanted) === JSON.stringify(wanted);
  const done: string[] = resumes ? stored.done : [];
  return {
    done: done.length,
    isDone: (key) => done.includes(textOf(key)),
    finish: (key) => {
      done.push(textOf(key));
      mkdirSync(folder, { recursive: true });
      writeFileSync(unfinished, JSON.stringify({ wanted, done }));
    },
    close: () => rmSync(unfinished, { force: true }),
  };
}

/**
 * Counts the passed rounds of a test of many rounds. An interrupted call keeps them, and calls at the same time share
 * them.
 */
export function openCount(name: string): { passed: () => number; add: () => void; close: () => void } {
  const file = join(folder, `${name}.unfinished`);
  mkdirSync(folder, { recursive: true });
  return {
    passed: () => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
    add: () => appendFileSync(file, '.'),
    close: () => rmSync(file, { force: true }),
  };
}

/** Stores a run in its drill's file, in place of the earlier one of this shape and backend. */
export function recordRun(run: RecordedRun): void {
  const others = readRuns(run.drill).filter((other) => nameOf(other) !== nameOf(run));
  const runs = [...others, run].toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(run.drill), `${JSON.stringify(runs, null, 2)}\n`);
}

/** The stored run of this drill, shape and backend. */
export function findRun(key: RunKey): RecordedRun | undefined {
  return readRuns(key.drill).find((run) => nameOf(run) === nameOf(key));
}

/** Writes the table of all stored results into docs/operate/reliability.md. */
export function writeTable(): void {
  const text = readFileSync(page, 'utf8');
  const [before, after] = [text.split(begin)[0], text.split(end)[1]];
  writeFileSync(page, `${before}${begin}\n\n${tableOf(storedRuns())}\n\n${end}${after}`);
}

/** The table of results: a row for each drill with the worst of its runs. */
export function tableOf(runs: readonly RecordedRun[]): string {
  const head = ['drill', 'fault', 'runs', 'acknowledged', 'unknown', 'silent', 'refreshes again', 'findings', 'date'];
  const rows = drills.map(({ name, what, shapes, backends }) => {
    const own = runs.filter(({ drill }) => drill === name);
    const sum = (of: (run: RecordedRun) => number) => own.reduce((total, run) => total + of(run), 0);
    const worst = (of: (run: RecordedRun) => number) => `${(Math.max(...own.map(of)) / 1000).toFixed(1)} s`;
    const count = `${own.length} of ${shapes.length * backends.length}`;
    if (own.length === 0) return [`\`${name}\``, what, count, '', '', '', '', '', ''];
    return [
      `\`${name}\``,
      what,
      count,
      String(sum(({ acknowledged }) => acknowledged)),
      String(sum(({ unknown }) => unknown)),
      worst(({ maxSilenceMs }) => maxSilenceMs),
      worst(({ recoveryMs }) => recoveryMs),
      String(sum(({ findings }) => findings.length)),
      own
        .map(({ at }) => at.slice(0, 10))
        .sort()
        .at(-1) ?? '',
    ];
  });
  const machines = new Set(
    runs.map(({ machine: { cpu, cores, memoryGb, node } }) => `${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}`),
  );
  const loads = runs.map(({ machine }) => machine.load);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const table = [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
  if (runs.length === 0) return table;
  return `${table}\n\nMeasured on ${[...machines].join('; ')}. Load: ${Math.min(...loads)} to ${Math.max(...loads)}.`;
}

/** Every stored run, by drill. */
export function storedRuns(): RecordedRun[] {
  return drills.flatMap(({ name }) => readRuns(name));
}

function readRuns(drill: string): RecordedRun[] {
  return existsSync(fileOf(drill)) ? JSON.parse(readFileSync(fileOf(drill), 'utf8')) : [];
}

function fileOf(drill: string): string {
  return join(folder, `${drill}.json`);
}

function textOf({ round = 1, ...key }: RunKey): string {
  return round === 1 ? nameOf(key) : `${nameOf(key)}, round ${round}`;
}

function nameOf({ drill, shape, backend }: RunKey): string {
  return `${drill}, ${shape}, ${backend}`;
}
