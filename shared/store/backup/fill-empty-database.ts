import pg from 'pg';
import { from } from 'pg-copy-streams';
import { type KeptTable, listTables, quotedName } from './list-tables.ts';
import { openOwner } from './open-owner.ts';
import { hasAccounts } from './read-schema-state.ts';
import type { SequenceValue } from './with-snapshot.ts';

/** Loads a backup's rows into a database. */
export type Filling = {
  /** Loads rows in `copy` text format and returns their number. Throws when the schema has no such table or column. */
  loadTable: (table: KeptTable, chunks: AsyncIterable<Uint8Array>) => Promise<number>;
  setSequence: (sequence: SequenceValue) => Promise<void>;
};

/**
 * Loads a migrated database without accounts in one transaction: if `fill` throws, nothing is loaded. Constraints are
 * checked for each row. Triggers are disabled because the backup contains the rows that they would write. Starts a new
 * generation of the feeds. Throws when the database contains an account.
 */
export async function fillEmptyDatabase<T>(databaseUrl: string, fill: (filling: Filling) => Promise<T>): Promise<T> {
  const client = await openOwner(databaseUrl);
  try {
    await client.query('begin');
    const { kept, passing } = await listTables(client);
    const all = [...kept, ...passing].map(quotedName);
    await client.query(`lock table ${all.join(', ')} in access exclusive mode`);
    if (await hasAccounts(client)) throw new DatabaseNotEmpty();
    // Rows inserted by migrations, and rows written by services that started before the first account existed.
    await client.query(`truncate ${all.join(', ')}`);
    const tables = kept.map(quotedName);
    const walled = kept.filter(({ schema }) => schema === undefined).map(quotedName);
    // `copy from` is not allowed under row-level security, which applies to the owner while it is forced.
    for (const table of walled) await client.query(`alter table ${table} no force row level security`);
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
    const filled = await fill({
      loadTable: (table, chunks) => loadTable(client, table, chunks),
      setSequence: async ({ name, last }) => {
        await client.query('select setval($1::regclass, $2::bigint)', [`landfall.${pg.escapeIdentifier(name)}`, last]);
      },
    });
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
    for (const table of walled) await client.query(`alter table ${table} force row level security`);
    await startFeedGeneration(client);
    await client.query('commit');
    for (const table of tables) await client.query(`analyze ${table}`);
    return filled;
  } finally {
    await client.end().catch(() => {});
  }
}

/** The database already contains an account's data. */
export class DatabaseNotEmpty extends Error {
  constructor() {
    super("The database isn't empty: it contains an account. Restore the backup into an empty database.");
    this.name = 'DatabaseNotEmpty';
  }
}

/**
 * Starts a new generation of every feed. Positions that were given after the backup are then known as such, and none of
 * them is given again.
 */
async function startFeedGeneration(client: pg.ClientBase): Promise<void> {
  await client.query('set local role landfall_system');
  await client.query('select landfall.start_feed_generation()');
  await client.query('reset role');
}

async function loadTable(client: pg.Client, table: KeptTable, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const copying = client.query(from(`copy ${quotedName(table)} (${columns}) from stdin`));
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  copying.once('finish', resolve);
  copying.once('error', reject);
  ended.catch(() => {});
  try {
    for await (const chunk of chunks) {
      if (!copying.write(chunk)) await Promise.race([drained(copying), ended]);
    }
  } catch (error) {
    // Without this, the server would wait for more data and the connection couldn't be used for the rollback.
    copying.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
  copying.end();
  await ended;
  return copying.rowCount;
}

function drained(copying: ReturnType<typeof from>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  copying.once('drain', resolve);
  return promise;
}
