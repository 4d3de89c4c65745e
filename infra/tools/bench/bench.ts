import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { startEmbeddedPostgres } from '#infra/embedded/start-embedded.ts';
import { prepareDatabase } from '#infra/prepare-database.ts';
import { type MeasuredServer, type ServerSettings, startMeasuredServer } from './measure/measured-server.ts';
import { readPostgresCpu } from './measure/postgres-cpu.ts';

/** Arguments of a row. */
export type Bench = {
  rounds: number;
  /** Seconds for which one side is measured in one round. */
  seconds: number;
  /** Null if `REDIS_URL` isn't set. */
  redisUrl: string | null;
  /** A migrated database for exclusive use, as its owner. Services use `serviceUrlOf` it. */
  newDatabase: () => Promise<string>;
  /** A server that is stopped when the row ends. */
  startServer: (settings: ServerSettings) => Promise<MeasuredServer>;
  /** CPU time of PostgreSQL so far, in microseconds. Null: it runs elsewhere or can't be read. */
  databaseCpu: () => number | null;
  /** Prints progress. */
  note: (line: string) => void;
};

export type BenchSettings = Pick<Bench, 'rounds' | 'seconds' | 'note'> & {
  /** A folder for CPU profiles of the servers, or null for none. Profiling has a small cost of its own. */
  profileFolder: string | null;
};

/**
 * One PostgreSQL for the whole run, with the (durable) settings of `npm start`. `BENCH_DATABASE_URL` names a running
 * one to use instead. `endRow` stops the servers that a row started.
 */
export async function openBench({ profileFolder, ...settings }: BenchSettings): Promise<{
  bench: Bench;
  postgresVersion: string;
  endRow: () => Promise<void>;
  close: () => Promise<void>;
}> {
  const postgres = await openPostgres(process.env.BENCH_DATABASE_URL);
  const dataFolder = await ask(postgres.url, 'show data_directory');
  const databases: string[] = [];
  const servers: MeasuredServer[] = [];
  const endRow = async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    for (const name of databases.splice(0)) await ask(postgres.url, `drop database if exists ${name} with (force)`);
  };
  return {
    bench: {
      ...settings,
      redisUrl: process.env.REDIS_URL ?? null,
      databaseCpu: () => readPostgresCpu(dataFolder),
      newDatabase: async () => {
        const name = `landfall_bench_${randomBytes(8).toString('hex')}`;
        await ask(postgres.url, `create database ${name}`);
        databases.push(name);
        const url = new URL(postgres.url);
        url.pathname = `/${name}`;
        await prepareDatabase({ ownerUrl: url.href, databaseUrl: serviceUrlOf(url.href) });
        return url.href;
      },
      startServer: async (of) => {
        const args = profileFolder === null ? [] : ['--cpu-prof', '--cpu-prof-dir', profileFolder];
        const server = await startMeasuredServer({ ...of, args: [...args, ...(of.args ?? [])] });
        servers.push(server);
        return server;
      },
    },
    postgresVersion: await ask(postgres.url, 'show server_version'),
    endRow,
    close: async () => {
      await endRow();
      await postgres.stop();
    },
  };
}

async function openPostgres(given: string | undefined): Promise<{ url: string; stop: () => Promise<void> }> {
  if (given !== undefined) return { url: given, stop: async () => undefined };
  const dataDir = mkdtempSync(join(tmpdir(), 'landfall-bench-'));
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  return {
    url: server.databaseUrl,
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs one statement and returns the first value of its first row. */
async function ask(databaseUrl: string, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return String(rows[0]?.[0] ?? '');
  } finally {
    await client.end();
  }
}
