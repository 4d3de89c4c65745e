import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';

/**
 * `databaseUrl`: as its owner, a superuser. `serviceUrl`: with the login of API and worker. `drop` also ends the
 * connections that are still open; it leaves a shared database.
 */
export type TestDatabase = { databaseUrl: string; serviceUrl: string; drop: () => Promise<void> };

let ofThisProcess: Promise<TestDatabase> | null = null;

/**
 * The migrated database that the test files of this process share, one after the other. It keeps what earlier files have
 * written, so that a test uses accounts, users and names of its own.
 */
export async function testDatabase(): Promise<TestDatabase> {
  ofThisProcess ??= ownDatabase();
  return { ...(await ofThisProcess), drop: async () => undefined };
}

/**
 * A migrated database that nothing else uses, for tests of what concerns a whole installation: its first account, the
 * system role, sweeps, counts, expiry, plans, settings. Cloned from the template.
 */
export function ownDatabase(): Promise<TestDatabase> {
  const template = new URL(inject('templateUrl')).pathname.slice(1);
  return newDatabase(`template ${template} strategy file_copy`);
}

/** A database without a schema. */
export function emptyDatabase(): Promise<TestDatabase> {
  return newDatabase('');
}

async function newDatabase(options: string): Promise<TestDatabase> {
  const templateUrl = new URL(inject('templateUrl'));
  const name = `${databasePrefix(templateUrl)}${randomBytes(8).toString('hex')}`;
  await onServer(templateUrl, `create database ${name} ${options}`);
  // Rights on a database aren't part of its template.
  await onServer(templateUrl, `grant create on database ${name} to landfall_queue`);
  const databaseUrl = new URL(templateUrl);
  databaseUrl.pathname = `/${name}`;
  return {
    databaseUrl: databaseUrl.href,
    serviceUrl: serviceUrlOf(databaseUrl.href),
    drop: () => onServer(templateUrl, `drop database if exists ${name} with (force)`),
  };
}

/** The beginning of the names of all databases of this run. */
export function databasePrefix(templateUrl: URL): string {
  return `${templateUrl.pathname.slice(1)}_`;
}

async function onServer(templateUrl: URL, statement: string): Promise<void> {
  const server = new URL(templateUrl);
  server.pathname = '/postgres';
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  try {
    // Copies the files inside the kernel: a tenth of the CPU of copying them through the log, which is the default.
    await client.query(`select set_config(name, 'clone', false) from pg_settings where name = 'file_copy_method'`);
    await client.query(statement);
  } finally {
    await client.end();
  }
}
