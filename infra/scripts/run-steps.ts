import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { projectFolder } from '../data-folder.ts';

/** A tool that runs in a process of its own. */
export type ToolStep = {
  name: string;
  args: string[];
  env?: Record<string, string>;
  /** Shows the output while the tool runs; by default only if the step fails, so that parallel steps don't mix. */
  streams?: boolean;
};

/** As with `npm start`: loading compiled code takes less than half the CPU. */
export const compileCache = join(tmpdir(), `landfall-test-compile-cache-${process.getuid?.() ?? ''}`);

const tsc = 'node_modules/typescript/bin/tsc';

/** Types and style, import rules included. */
export const staticSteps: ToolStep[] = [
  { name: 'lint and import rules', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'] },
  { name: 'types', args: typesArgs('.', 'root') },
  { name: 'types of the dashboard', args: typesArgs('services/dashboard', 'dashboard') },
];

/** Arguments that run Vitest once. */
export function vitestArgs(...args: string[]): string[] {
  return ['node_modules/vitest/vitest.mjs', 'run', ...args];
}

/** Checks the files that changed since the last check, and those that import them: a tenth of the CPU of all. */
function typesArgs(project: string, name: string): string[] {
  return [tsc, '-p', project, '--incremental', '--tsBuildInfoFile', `node_modules/.cache/types-${name}.tsbuildinfo`];
}

/** Runs steps one after the other and stops at the first that fails. Returns whether all succeeded. */
export async function runSteps(steps: readonly ToolStep[]): Promise<boolean> {
  for (const step of steps) {
    if (!(await runStep(step))) return false;
  }
  return true;
}

/** Prints the total time and sets the exit code. */
export function finish(name: string, succeeded: boolean): void {
  process.stdout.write(`${succeeded ? '✓' : '✗'} ${name}: ${seconds(performance.now())} in total\n`);
  if (!succeeded) process.exitCode = 1;
}

async function runStep({ name, args, env, streams = false }: ToolStep): Promise<boolean> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...env },
    stdio: streams ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, forward);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  const code = await promise;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, forward);
  const took = seconds(performance.now() - startedAt);
  if (code !== 0) process.stdout.write(output);
  process.stdout.write(code === 0 ? `✓ ${name} (${took})\n` : `✗ ${name} failed after ${took}\n`);
  return code === 0;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
