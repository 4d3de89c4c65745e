import process from 'node:process';
import { afterAll } from 'vitest';
import { onReferenceMachine } from '../cpu.ts';
import { contendedMs, cpuMsOfTree } from './process-usage.ts';

/** Usage of one test file: `wallMs` by the clock, the others so that a busy machine doesn't change them. */
export type FileUsage = {
  wallMs: number;
  /** CPU time of the test process and the processes that it started, in ms of the reference machine. */
  cpuMs: number;
  /** The part of `wallMs` in which no process of the machine waited for a CPU. */
  uncontendedMs: number;
};

declare module 'vitest' {
  interface TaskMeta {
    usage?: FileUsage;
  }
}

/** A comparison takes time, too, and most files are far below the limit. */
const worthComparingMs = 1000;

// A setup file runs before each test file is imported, and the hook registered first runs last.
const startedAt = performance.now();
const cpuBefore = cpuMsOfTree(process.pid);
const contendedBefore = contendedMs();

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from this pattern which fixtures to prepare
afterAll(({}, suite) => {
  const wallMs = performance.now() - startedAt;
  const contended = contendedMs();
  const isKnown = contended !== null && contendedBefore !== null;
  suite.file.meta.usage = {
    wallMs,
    cpuMs: onReferenceMachine(Math.max(0, cpuMsOfTree(process.pid) - cpuBefore), worthComparingMs),
    uncontendedMs: isKnown ? Math.max(0, wallMs - (contended - contendedBefore)) : 0,
  };
});
