import type pg from 'pg';
import { openOwner } from './open-owner.ts';

/** What is in a database: which migrations ran, and whether it holds an account, and so anything that belongs to somebody. */
export type SchemaState = { migrations: string[]; hasAccounts: boolean };

/** Refreshes at a database; one without the schema has no migrations. */
export async function readSchemaState(databaseUrl: string): Promise<SchemaState> {
  const client = await openOwner(databaseUrl);
  try {
    await client.query('begin read only');
    const migrations = await appliedMigrations(client);
    return { migrations, hasAccounts: migrations.length > 0 && (await hasAccounts(client)) };
  } finally {
    await client.end().catch(() => {});
  }
}

/** Names of the migrations that ran, in order. */
export async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('landfall.migrations') is not null as there`,
  );
  if (found[0]?.there !== true) return [];
  const { rows } = await client.query<{ name: string }>('select name from landfall.migrations order by id');
  return rows.map(({ name }) => name);
}

/** Needs a transaction: the owner alone would see no row, for row-level security is forced. */
export async function hasAccounts(client: pg.ClientBase): Promise<boolean> {
  await client.query('set local role landfall_system');
  const { rows } = await client.query<{ found: boolean }>('select exists (select from landfall.accounts) as found');
  await client.query('reset role');
  return rows[0]?.found === true;
}
