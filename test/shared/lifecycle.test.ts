import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterEach, expect, it } from 'vitest';

const moduleUrl = new URL('../../shared/lifecycle.ts', import.meta.url).href;
let child: ChildProcess | null = null;

afterEach(() => {
  child?.kill('SIGKILL');
});

it.each(['SIGTERM', 'SIGINT'] as const)('closes everything in reverse order on %s and exits with 0', async (signal) => {
  const { output, exit } = await run(
    `onDispose(() => say('first')); onDispose(async () => say('second')); say('up');`,
    (up) => up.kill(signal),
  );
  expect(output).toEqual(['up', 'second', 'first']);
  expect(exit).toBe(0);
});

it('closes all open resources and exits with 1 when the start fails', async () => {
  const { output, exit } = await run(`onDispose(() => say('closed')); throw new Error('no database');`);
  expect(output).toEqual(['closed']);
  expect(exit).toBe(1);
});

it('runs the other disposals when one fails', async () => {
  const { output, exit } = await run(
    `onDispose(() => say('first')); onDispose(() => { throw new Error('broken'); }); stop();`,
  );
  expect(output).toEqual(['first']);
  expect(exit).toBe(0);
});

it('exits with 1 at the deadline when a disposal hangs', async () => {
  const { exit } = await run('onDispose(() => new Promise(() => {})); stop();', undefined, {
    deadlineMs: 300,
  });
  expect(exit).toBe(1);
});

it('stops when its supervisor disappears', async () => {
  const { output, exit } = await run(`onDispose(() => say('closed')); say('up');`, (up) => up.disconnect());
  expect(output).toEqual(['up', 'closed']);
  expect(exit).toBe(0);
});

it('closes a resource that the start is opening when the signal arrives', async () => {
  const body = `say('up'); await new Promise((resolve) => signal.addEventListener('abort', resolve)); onDispose(() => say('closed'));`;
  const { output } = await run(body, (up) => up.kill('SIGTERM'));
  expect(output).toEqual(['up', 'closed']);
});

it('keeps its resources for the delay after SIGTERM, and closes them at once after Ctrl-C', async () => {
  const body = `
    onDispose(() => say('closed'));
    signal.addEventListener('abort', () => setTimeout(() => say('served'), 10));
    say('up');`;
  const delayed = await run(body, (up) => up.kill('SIGTERM'), { delayMs: 500 });
  expect(delayed).toEqual({ output: ['up', 'served', 'closed'], exit: 0 });
  const atOnce = await run(body, (up) => up.kill('SIGINT'), { delayMs: 600_000 });
  expect(atOnce).toEqual({ output: ['up', 'closed'], exit: 0 });
});

it('stops when its supervisor disappeared while it was loading', async () => {
  const { output, exit } = await run(`onDispose(() => say('closed'));`, undefined, { isOrphan: true });
  expect(output).toEqual(['closed']);
  expect(exit).toBe(0);
});

type RunOptions = { delayMs?: number; deadlineMs?: number; isOrphan?: boolean };

async function run(
  body: string,
  onUp?: (child: ChildProcess) => void,
  { delayMs = 0, deadlineMs = 600_000, isOrphan = false }: RunOptions = {},
): Promise<{ output: string[]; exit: number | null }> {
  const program = `
    import { writeSync } from 'node:fs';
    import { runMain } from ${JSON.stringify(moduleUrl)};
    ${isOrphan ? 'process.disconnect(); await new Promise((resolve) => setTimeout(resolve, 10));' : ''}
    const say = (word) => writeSync(1, word + '\\n');
    await runMain(async ({ signal, onDispose, stop }) => { ${body} }, { deadlineMs: ${deadlineMs}, delayMs: ${delayMs}, onError: () => {} });`;
  const started = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child = started;
  let output = '';
  started.stdout?.on('data', (bytes) => {
    const wasUp = output.includes('up');
    output += bytes;
    if (!wasUp && output.includes('up')) onUp?.(started);
  });
  // Not `close`: it never comes once the channel was cut from this side.
  const [[exit]] = await Promise.all([
    once(started, 'exit') as Promise<[number | null]>,
    once(started.stdout as Readable, 'end'),
  ]);
  return { output: output.trim().split('\n').filter(Boolean), exit };
}
