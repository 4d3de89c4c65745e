import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresFolder, projectFolder } from '#infra/data-folder.ts';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { findEmbeddedPostgres } from '#infra/embedded/start-embedded.ts';
import { mainFileOf } from '#infra/installation/service-programs.ts';
import { compileCache } from '#infra/scripts/run-steps.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { startService } from '#test/support/processes.ts';
import { until } from '#test/support/until.ts';
import { areReady, drillCadence, freePorts } from './fleet.ts';
import { newAccount, newKeyOfBuild } from './new-account.ts';
import { postmasterPid } from './postmaster-pid.ts';
import { isAlive, type Listed, processTree, signalIfAlive } from './process-tree.ts';
import { openRedisServer } from './redis-server.ts';
import type { Role, World, WorldSettings } from './world.ts';

/** Processes that `npm start` started. */
export type StartedTree = {
  npm: ChildProcess;
  /** The process that starts and supervises the others. */
  supervisor: () => Listed | null;
  processes: () => Listed[];
  output: () => string;
};

export type OneMachine = World & {
  tree: () => StartedTree;
  /** Of `npm start`. */
  env: Record<string, string>;
  /** Ends what still runs and starts again, from this folder of sources. */
  startAgain: (from: { cwd?: string }) => Promise<void>;
};

export function isOneMachine(world: World): world is OneMachine {
  return 'tree' in world;
}

/** `npm start` in a data folder of its own. The simulated carriers run apart, so that they outlive it. */
export async function openOneMachine({ backend, voyageS, ...settings }: WorldSettings): Promise<OneMachine> {
  const folder = settings.folder ?? mkdtempSync(join(tmpdir(), 'landfall-drill-'));
  chmodSync(folder, 0o711);
  // Demo shipments would be load that no checker knows.
  writeFileSync(join(folder, 'demonstration-registered'), '');
  const simulator = await startService('simulator', { SIMULATOR_PORT: '0', SIMULATOR_VOYAGE_S: String(voyageS) }, [
    '--control',
  ]);
  const carriers = await openFaultProxy(simulator.url);
  const redis = backend === 'Redis' ? await openRedisServer() : null;
  const [api, worker, operations] = await freePorts(3);
  const env = {
    LANDFALL_DATA_DIR: folder,
    ...(redis && { REDIS_URL: redis.url }),
    SIMULATOR: 'on',
    SIMULATOR_URL: carriers.url,
    CADENCE_SCALE: drillCadence,
    PORT: String(api),
    WORKER_HEALTH_PORT: String(worker),
    OPERATIONS_PORT: String(operations),
    LOG_LEVEL: 'error',
    ...settings.env,
  };
  let cwd = settings.sources ?? projectFolder;
  let started = await startTree(env, cwd);
  const earlierOutput: string[] = [];
  // Another start may find another port free.
  const findDatabase = async () => (await findEmbeddedPostgres(postgresFolder(folder))) ?? '';
  let databaseUrl = await findDatabase();
  const pids = (role: Role): number[] => {
    if (role === 'postgres') return postmasterPid(postgresFolder(folder));
    if (role === 'redis') return [redis?.pid() ?? []].flat();
    return started
      .processes()
      .filter(({ command }) => command.includes(mainFileOf(role)))
      .map(({ pid }) => pid);
  };
  const stop = async (pid = started.supervisor()?.pid): Promise<string[]> => {
    const processes = started.processes();
    if (pid !== undefined) signalIfAlive(pid, 'SIGTERM');
    earlierOutput.push(started.output());
    return endOf(processes);
  };
  let isClosed = false;
  const startAgain = async (changes: Record<string, string>): Promise<void> => {
    await stop();
    started = await startTree({ ...env, ...changes }, cwd);
    databaseUrl = await findDatabase();
  };
  return {
    shape: 'one machine',
    backend,
    apiUrls: [`http://127.0.0.1:${api}`],
    get databaseUrl() {
      return databaseUrl;
    },
    simulatorUrl: simulator.url,
    carriers,
    redis,
    folder,
    tree: () => started,
    env,
    startAgain: async (from) => {
      cwd = from.cwd ?? cwd;
      await startAgain({});
    },
    pids,
    signal: (role, signal) => {
      const [pid = 0] = pids(role);
      if (pid !== 0) process.kill(pid, signal);
      return pid;
    },
    untilUp: async () => {
      await until(
        () => areReady([api, worker]),
        (areUp) => areUp,
      );
    },
    workerUrls: [`http://127.0.0.1:${worker}`],
    restart: async (_role, changesOf) => {
      await startAgain(changesOf(0).env ?? {});
    },
    stores: null,
    certificates: null,
    // A process that a signal ended is listed with its signal. Only an exit code is a surprise.
    surprises: () =>
      [...earlierOutput, started.output()].flatMap(
        (text) => text.match(/^.*(?:api|worker) exited with code [1-9].*$/gm) ?? [],
      ),
    newAccount: () => (cwd === projectFolder ? newAccount(serviceUrlOf(databaseUrl)) : newKeyOfBuild(cwd, folder)),
    close: async () => {
      if (isClosed) return [];
      isClosed = true;
      // As a service manager ends it.
      const left = await stop(started.npm.pid);
      await simulator.kill();
      await carriers.close();
      await redis?.close();
      if (settings.folder === undefined) rmSync(folder, { recursive: true, force: true });
      return left;
    },
  };
}

/** Runs `npm start` and waits until it prints its address. */
export async function startTree(env: Record<string, string>, cwd: string = projectFolder): Promise<StartedTree> {
  const npm = spawn('npm', ['start'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group, like a terminal's.
    detached: true,
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  let hasEnded = false;
  const ended = once(npm, 'exit').then(() => {
    hasEnded = true;
  });
  await Promise.race([
    until(
      async () => hasEnded || output.includes('Landfall is at'),
      (isDone) => isDone,
    ),
    ended,
  ]);
  if (hasEnded) throw new Error(`npm start ended with ${npm.exitCode ?? npm.signalCode}:\n${output}`);
  const processes = () => processTree(npm.pid ?? 0);
  return {
    npm,
    processes,
    supervisor: () => processes().find(({ command }) => command.includes('infra/scripts/start.ts')) ?? null,
    output: () => output,
  };
}

/** Waits for processes to end. Those that stay are killed and named. */
export async function endOf(processes: readonly Listed[]): Promise<string[]> {
  const left = () => processes.filter(({ pid }) => isAlive(pid));
  await until(
    async () => left(),
    (alive) => alive.length === 0,
  ).catch(() => undefined);
  const names = left().map(({ pid, command }) => `${pid} ${command}`);
  for (const { pid } of left()) signalIfAlive(pid, 'SIGKILL');
  return names;
}
