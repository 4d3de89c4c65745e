import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { clusterFolder } from '#infra/embedded/cluster-folder.ts';
import { findRunningPostmaster } from '#infra/embedded/postmaster.ts';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { lockHolder, processLives } from '#infra/embedded/single-run-lock.ts';
import { startEmbeddedPostgres } from '#infra/embedded/start-embedded.ts';
import { prepareDatabase } from '#infra/prepare-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database without connections: `testDatabase` clones it. */
    templateUrl: string;
    /** Null if neither redis-server nor valkey-server is installed. */
    redisUrl: string | null;
  }
}

type Stop = () => Promise<void>;

/** In bytes. Half a gigabyte was the most seen; the tests themselves need room as well. */
const roomForDatabases = 4 * 1024 ** 3;
const memory = '/dev/shm';
const folderName = 'landfall-test-postgres-';

/**
 * Starts one PostgreSQL and, if it is installed, one Redis for the whole run, unless only plain tests were chosen.
 * `TEST_DATABASE_URL` and `REDIS_URL` name running ones.
 */
export async function setup(project: TestProject): Promise<Stop> {
  const stops: Stop[] = [];
  if (project.vitest.projects.every(({ name }) => name.startsWith('plain'))) return async () => {};
  const teardown = async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  };
  try {
    const databaseUrl = process.env.TEST_DATABASE_URL ?? (await startPostgres(stops));
    project.provide('templateUrl', await prepareTemplate(databaseUrl, stops));
    project.provide('redisUrl', process.env.REDIS_URL ?? (await startRedis(stops)));
    return teardown;
  } catch (error) {
    await teardown();
    throw error;
  }
}

async function startPostgres(stops: Stop[]): Promise<string> {
  if (hasRoom(memory)) {
    try {
      await removeFoldersLeft();
      return await startPostgresIn(memory, stops);
    } catch {
      // It can't be written, or no program may run there.
    }
  }
  return startPostgresIn(tmpdir(), stops);
}

/**
 * In memory where there is room: a database has over a thousand files, and creating and deleting them takes a tenth of
 * the run's CPU on ext4, which searches for inodes that weren't used lately.
 */
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= roomForDatabases;
}

async function startPostgresIn(parent: string, stops: Stop[]): Promise<string> {
  const dataDir = mkdtempSync(join(parent, folderName));
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  stops.push(async () => remove());
  let pid: number | null = null;
  const forget = onInterruption(() => {
    if (pid !== null && processLives(pid)) process.kill(pid, 'SIGQUIT');
    remove();
  });
  stops.push(async () => forget());
  const port = await freePort();
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, maxConnections: 300, durable: false, port });
  pid = server.pid;
  server.died.then((lines) => process.stderr.write(`the test database died:\n${lines}\n`)).catch(() => undefined);
  stops.push(server.stop);
  return server.databaseUrl;
}

/** Calls `end` if this process exits before the teardown. Returns a function that forgets it. */
function onInterruption(end: () => void): () => void {
  const exit = (_signal: NodeJS.Signals, code: number) => process.exit(128 + code);
  // Vitest handles the first signal only, and npm and its scripts pass on those that a terminal has sent to all.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, exit);
  process.once('exit', end);
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, exit);
    process.off('exit', end);
  };
}

/** Removes from memory what runs that were killed have left. */
async function removeFoldersLeft(): Promise<void> {
  for (const name of readdirSync(memory).filter((each) => each.startsWith(folderName))) {
    try {
      const files = clusterFolder(join(memory, name));
      if (!existsSync(files.lockFile) || lockHolder(files.lockFile) !== null) continue;
      if ((await findRunningPostmaster(files)) === null) await rm(files.home, { recursive: true, force: true });
    } catch {
      // The folder belongs to another user.
    }
  }
}

async function prepareTemplate(databaseUrl: string, stops: Stop[]): Promise<string> {
  const name = `landfall_template_${process.pid}`;
  await onServer(databaseUrl, [`drop database if exists ${name} with (force)`, `create database ${name}`]);
  stops.push(() => dropDatabases(databaseUrl, name));
  const templateUrl = new URL(databaseUrl);
  templateUrl.pathname = `/${name}`;
  await prepareDatabase({ ownerUrl: templateUrl.href, databaseUrl: serviceUrlOf(templateUrl.href) });
  return templateUrl.href;
}

/** Drops the template and the databases that the test processes have cloned from it. */
async function dropDatabases(databaseUrl: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where datname = $1 or starts_with(datname, $1 || '_')`,
      [template],
    );
    for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
  } finally {
    await client.end();
  }
}

async function onServer(databaseUrl: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function startRedis(stops: Stop[]): Promise<string | null> {
  const executable = ['redis-server', 'valkey-server'].map(findOnPath).find((path) => path !== null);
  if (executable === undefined) {
    if (process.env.REQUIRE_REDIS === '1')
      throw new Error('REQUIRE_REDIS=1, but neither redis-server nor valkey-server is on the PATH');
    return null;
  }
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), 'landfall-test-redis-'));
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    dir,
    '--save',
    '',
    '--appendonly',
    'no',
    '--maxmemory-policy',
    'noeviction',
  ];
  const server = spawn(executable, settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  stops.push(async () => {
    await endProcess(server);
    rmSync(dir, { recursive: true, force: true });
  });
  await saysReady(server);
  return `redis://127.0.0.1:${port}`;
}

function findOnPath(name: string): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

function saysReady(server: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = '';
  server.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes('Ready to accept connections')) resolve();
  });
  server.once('error', reject);
  server.once('exit', (code) => reject(new Error(`the test Redis ended with code ${code}: ${said.slice(-500)}`)));
  return promise;
}

async function endProcess(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  if (address === null || typeof address === 'string') throw new Error('the probe has no port');
  probe.close();
  await once(probe, 'close');
  return address.port;
}
