import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';

/** `databaseUrl`: as its owner, a superuser. `serviceUrl`: with the login of API and worker. */
export type TestDatabase = { databaseUrl: string; serviceUrl: string; drop: () => Promise<void> };

/** A clone of the migrated template, for one test file. `drop` also ends the connections that are still open. */
export function testDatabase(): Promise<TestDatabase> {
  const template = new URL(inject('templateUrl')).pathname.slice(1);
  return newDatabase(`template ${template} strategy file_copy`);
}

/** A database without a schema. */
export function emptyDatabase(): Promise<TestDatabase> {
  return newDatabase('');
}

async function newDatabase(options: string): Promise<TestDatabase> {
  const templateUrl = new URL(inject('templateUrl'));
  const name = `landfall_test_${randomBytes(8).toString('hex')}`;
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
