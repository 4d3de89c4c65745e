import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { chooseIdentity } from '#infra/embedded/identity.ts';
import { processLives } from '#infra/embedded/single-run-lock.ts';
import {
  DataFolderInUse,
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from '#infra/embedded/start-embedded.ts';
import { listProcesses } from '#test/support/process-list.ts';
import { until } from '#test/support/until.ts';

const moduleUrl = new URL('../../infra/embedded/start-embedded.ts', import.meta.url).href;
let dataDir: string;
let running: EmbeddedPostgres | null = null;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'landfall-embedded-'));
});

afterEach(async () => {
  await running?.stop();
  running = null;
});

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

it('creates a database once, keeps its data, and stores its password readable only by this user', async () => {
  const first = await start();
  expect(first.origin).toBe('created');
  await query(first.databaseUrl, 'create table kept (n int); insert into kept values (7)');
  const identifier = await query(first.databaseUrl, 'select system_identifier::text as value from pg_control_system()');
  expect(statSync(join(dataDir, 'password')).mode & 0o777).toBe(0o600);
  await first.stop();
  expect(processLives(first.pid)).toBe(false);

  const second = await start();
  expect(second.origin).toBe('started');
  expect(await query(second.databaseUrl, 'select n::text as value from kept')).toBe('7');
  expect(await query(second.databaseUrl, 'select system_identifier::text as value from pg_control_system()')).toBe(
    identifier,
  );
  expect(await query(second.databaseUrl, "select current_setting('listen_addresses') as value")).toBe('127.0.0.1');
});

it('refuses a second start in the same folder and names the process that uses it', async () => {
  const first = await start();
  await expect(startEmbeddedPostgres({ dataDir, log: () => {}, durable: false })).rejects.toThrow(DataFolderInUse);
  expect(await findEmbeddedPostgres(dataDir)).toBe(first.databaseUrl);
});

it('stops the server of a killed process in order', async () => {
  const { child, pid } = await startInChild();
  child.kill('SIGKILL');
  await until(
    async () => processLives(pid),
    (lives) => !lives,
  );
  expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8').trim().split('\n').at(-1)).toMatch(
    /database system is shut down$/,
  );
});

it('adopts the server of a run that was killed with its guard, with its data and port', async () => {
  const { child, pid, port } = await startInChild();
  const guards = listProcesses().filter(({ command }) => command.includes(`landfall-postgres-guard ${pid} `));
  expect(guards).toHaveLength(1);
  for (const guard of guards) process.kill(guard.pid, 'SIGKILL');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(processLives(pid)).toBe(true);

  const adopted = await start();
  expect(adopted).toMatchObject({ origin: 'adopted', pid, port });
  expect(await query(adopted.databaseUrl, 'select 1::text as value')).toBe('1');
  await adopted.stop();
  expect(processLives(pid)).toBe(false);
});

it('starts despite a postmaster.pid of a dead process or of another program', async () => {
  const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
  writeFileSync(pidFile, `${process.pid}\n${join(dataDir, 'cluster')}\n1\n54329\n\n127.0.0.1\n 1 1\nready   \n`);
  const first = await start();
  expect(first.origin).toBe('started');
  expect(first.pid).not.toBe(process.pid);
});

it('reports a killed server, and recovers at the next start', async () => {
  const first = await start();
  process.kill(first.pid, 'SIGKILL');
  await first.died;
  const second = await start();
  expect(await query(second.databaseUrl, 'select n::text as value from kept')).toBe('7');
});

it('includes the last log lines of the server in a startup error', async () => {
  const version = join(dataDir, 'cluster', 'PG_VERSION');
  const real = readFileSync(version, 'utf8');
  writeFileSync(version, '9\n');
  try {
    await expect(start()).rejects.toThrow(/initialized by PostgreSQL version 9/);
  } finally {
    writeFileSync(version, real);
  }
  expect((await start()).origin).toBe('started');
});

it.runIf(process.getuid?.() === 0)('runs as an ordinary user wherever that user can get to the data', async () => {
  const { pid } = await start();
  expect(uidsOf(pid)).toEqual(['65534', '65534', '65534', '65534']);
  const hidden = mkdtempSync(join(tmpdir(), 'landfall-hidden-'));
  expect(chooseIdentity(join(hidden, 'postgres'))).not.toBe(chooseIdentity(dataDir));
  rmSync(hidden, { recursive: true });
});

/** Real, effective, saved and file-system user id. */
function uidsOf(pid: number): string[] {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return /^Uid:\s+(.*)$/m.exec(status)?.[1]?.split(/\s+/) ?? [];
}

it.runIf(process.getuid?.() === 0)('runs in a namespace or as nobody with the same data', async () => {
  for (const identity of ['nobody', 'namespace', 'nobody'] as const) {
    running = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false, identity });
    expect(await query(running.databaseUrl, 'select n::text as value from kept')).toBe('7');
    await running.stop();
  }
  expect(readdirSync(dataDir).filter((name) => name.includes('.new'))).toEqual([]);
});

async function start(): Promise<EmbeddedPostgres> {
  running = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false });
  return running;
}

async function startInChild(): Promise<{ child: ChildProcess; pid: number; port: number }> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(moduleUrl)};
    const { pid, port } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => {}, durable: false });
    process.send({ pid, port });
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [message] = (await once(child, 'message')) as [{ pid: number; port: number }];
  return { child, ...message };
}

async function query(databaseUrl: string, sql: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const result = await client.query<{ value: string }>(sql);
    return result.rows?.[0]?.value;
  } finally {
    await client.end();
  }
}
