import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
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

/** In bytes: four times what they take at most, so that the tests have room as well. */
const roomForDatabases = 4 * 1024 ** 3;

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
  const dataDir = mkdtempSync(join(fastFolder(), 'landfall-test-postgres-'));
  stops.push(async () => rmSync(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const server = await startEmbeddedPostgres({ dataDir, log: () => {}, maxConnections: 300, durable: false, port });
  server.died.then((lines) => process.stderr.write(`the test database died:\n${lines}\n`)).catch(() => undefined);
  stops.push(server.stop);
  return server.databaseUrl;
}

/**
 * In memory where there is room: a database has over a thousand files, and creating and deleting them takes a tenth of
 * the run's CPU on ext4, which searches for inodes that weren't used lately.
 */
function fastFolder(): string {
  const memory = '/dev/shm';
  const { bavail, bsize } = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 };
  return bavail * bsize >= roomForDatabases ? memory : tmpdir();
}

async function prepareTemplate(databaseUrl: string, stops: Stop[]): Promise<string> {
  const name = `landfall_template_${process.pid}`;
  await onServer(databaseUrl, [`drop database if exists ${name} with (force)`, `create database ${name}`]);
  stops.push(() => onServer(databaseUrl, [`drop database if exists ${name} with (force)`]));
  const templateUrl = new URL(databaseUrl);
  templateUrl.pathname = `/${name}`;
  await prepareDatabase({ ownerUrl: templateUrl.href, databaseUrl: serviceUrlOf(templateUrl.href) });
  return templateUrl.href;
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
