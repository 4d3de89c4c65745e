import type pg from 'pg';
import { openOwner } from './open-owner.ts';

/** The state of a database: its applied migrations, and whether it contains an account and therefore user data. */
export type SchemaState = { migrations: string[]; hasAccounts: boolean };

/** Reads the state of a database. Without the schema, there are no migrations. */
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

/** Names of the applied migrations, in order. */
export async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `select to_regclass('landfall.migrations') is not null as there`,
  );
  if (found[0]?.there !== true) return [];
  const { rows } = await client.query<{ name: string }>('select name from landfall.migrations order by id');
  return rows.map(({ name }) => name);
}

/** The comment that the first migration leaves on the schema. Databases of older builds lack it. */
const schemaMark = 'Landfall 0.2';

/** Returns whether the database has the migrations of an older build, which had other files of the same names. */
export async function isOfOlderBuild(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ mark: string | null }>(
    `select obj_description(to_regnamespace('landfall'), 'pg_namespace') as mark`,
  );
  return rows[0]?.mark !== schemaMark && (await appliedMigrations(client)).length > 0;
}

/** Requires a transaction: row-level security is forced, so the owner sees no rows. */
export async function hasAccounts(client: pg.ClientBase): Promise<boolean> {
  await client.query('set local role landfall_system');
  const { rows } = await client.query<{ found: boolean }>('select exists (select from landfall.accounts) as found');
  await client.query('reset role');
  return rows[0]?.found === true;
}
