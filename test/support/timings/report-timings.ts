import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { TestModule } from 'vitest/node';
import { scaled } from '../run-scale.ts';
import { type FileTiming, filesOverLimit, slowestFiles, timingsText } from './file-timings.ts';
import { cpuMsOfTree } from './process-usage.ts';

const target = fileURLToPath(new URL('../../timings.json', import.meta.url));

/**
 * Writes `test/timings.json` and prints the slowest files. Returns how many files are over the limit, which holds in the
 * short form only.
 */
export function reportTimings(modules: readonly TestModule[]): number {
  const files = modules.flatMap(timingOf);
  const testsMs = cpuMsOfTree(process.pid, ['postgres']);
  writeFileSync(target, timingsText(files, { testsMs, postgresMs: cpuMsOfTree(process.pid) - testsMs }));
  print('Slowest files', slowestFiles(files));
  // A test that fails has often waited until its patience ended, and fails the run by itself.
  const passed = modules.filter((module) => module.ok()).flatMap(timingOf);
  const over = scaled({ short: filesOverLimit(passed), full: [] });
  print('Over the limit of a file, which counts as failed', over);
  return over.length;
}

function print(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`\n${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

/** Returns no timing for a file that could not be loaded. */
function timingOf(module: TestModule): FileTiming[] {
  const { usage } = module.meta();
  if (usage === undefined) return [];
  const tests = [...module.children.allTests()].length;
  return [{ file: module.relativeModuleId, project: module.project.name, tests, ...rounded(usage) }];
}

function rounded<Usage extends Record<string, number>>(usage: Usage): Usage {
  return Object.fromEntries(Object.entries(usage).map(([name, ms]) => [name, Math.round(ms)])) as Usage;
}
