import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { processLives } from '#infra/embedded/single-run-lock.ts';
import { compileCache } from '#infra/scripts/run-steps.ts';
import { type ListedProcess, listProcesses } from '#test/support/process-list.ts';
import { scaled } from '#test/support/run-scale.ts';
import { until } from '#test/support/until.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let dataFolder: string;

beforeAll(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'landfall-tree-'));
});

afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

const commands = {
  npm: /^npm start/,
  launcher: /^\S*node infra\/scripts\/launch\.mjs/,
  supervisor: /^\S*node \S*infra\/scripts\/start\.ts/,
};
type Role = keyof typeof commands;

const faults: [NodeJS.Signals, Role][] = [
  ['SIGKILL', 'npm'],
  ['SIGKILL', 'supervisor'],
  ...scaled<[NodeJS.Signals, Role][]>({
    short: [],
    full: [
      ['SIGTERM', 'npm'],
      ['SIGKILL', 'launcher'],
    ],
  }),
];

it.each(faults)('leaves nothing behind after %s to the %s, and stops PostgreSQL in order', async (signal, role) => {
  const npm = await startLandfall();
  const tree = descendantsOf(npm.pid as number);
  const victim = tree.find(({ command }) => commands[role].test(command));
  expect(victim).toBeDefined();
  process.kill(victim?.pid as number, signal);
  await until(
    async () => tree.filter(({ pid }) => processLives(pid)),
    (left) => left.length === 0,
  );
  const log = readFileSync(join(dataFolder, 'postgres', 'postgres.log'), 'utf8')
    .trim()
    .split('\n');
  expect(log.at(-1)).toMatch(/database system is shut down$/);
});

/** Starts `npm start` and waits for every service. */
async function startLandfall(): Promise<ChildProcess> {
  const ports = { PORT: '0', OPERATIONS_PORT: '0', WORKER_HEALTH_PORT: '0', SIMULATOR_PORT: '0' };
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LANDFALL_DATA_DIR: dataFolder,
      NODE_COMPILE_CACHE: compileCache,
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
      ...ports,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let output = '';
  npm.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  await until(
    async () => output,
    (seen) => seen.includes('✓ API') && seen.includes('✓ worker') && seen.includes('✓ simulator'),
  );
  return npm;
}

/** The process and all that it started, down to the server processes of PostgreSQL. */
function descendantsOf(pid: number): ListedProcess[] {
  const all = listProcesses();
  const found = all.filter((one) => one.pid === pid);
  for (const one of found) found.push(...all.filter(({ parent }) => parent === one.pid));
  return found;
}
