import pg from 'pg';
import { to } from 'pg-copy-streams';
import { type KeptTable, listTables, quotedName } from './list-tables.ts';
import { openOwner } from './open-owner.ts';
import { appliedMigrations } from './read-schema-state.ts';

export type SequenceValue = { name: string; last: string };

/** A database at one moment. Writers continue. */
export type Snapshot = {
  takenAt: Date;
  serverVersion: string;
  /** Names of the migrations that created the schema, in order. */
  migrations: string[];
  tables: KeptTable[];
  /** Reads the rows in `copy` text format. Resolves to the number of rows after the last `onChunk`. */
  readTable: (table: KeptTable, onChunk: (chunk: Uint8Array) => Promise<void>) => Promise<number>;
  /** Read after the tables, so that no row has a newer value. */
  readSequences: () => Promise<SequenceValue[]>;
};

const locked = (tables: KeptTable[]): string => tables.map(quotedName).join(', ');

/**
 * Calls `use` with one consistent view of the database: everything committed before, and nothing committed later.
 * Writers aren't blocked; migrations wait.
 */
export async function withSnapshot<T>(databaseUrl: string, use: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = await openOwner(databaseUrl);
  try {
    const { kept } = await listTables(client);
    if (kept.length === 0) throw new Error('the database has no Landfall schema: nothing to back up');
    await client.query('begin isolation level repeatable read read only');
    // Taken before the snapshot: to an older snapshot, a table that a migration rewrites appears empty.
    await client.query(`lock table ${locked(kept)} in access share mode`);
    const { rows } = await client.query<{ taken: Date; version: string }>(
      `select clock_timestamp() as taken, current_setting('server_version') as version`,
    );
    const { kept: tables } = await listTables(client);
    const result = await use({
      takenAt: rows[0]?.taken ?? new Date(),
      serverVersion: rows[0]?.version ?? 'unknown',
      migrations: await appliedMigrations(client),
      tables,
      readTable: (table, onChunk) => readTable(client, table, onChunk),
      readSequences: () => readSequences(client),
    });
    await client.query('commit');
    return result;
  } finally {
    await client.end().catch(() => {});
  }
}

async function readTable(
  client: pg.Client,
  table: KeptTable,
  onChunk: (chunk: Uint8Array) => Promise<void>,
): Promise<number> {
  const columns = table.columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  // Forced row-level security applies to the owner too. These roles see every row of their schema.
  await client.query(`set local role ${table.schema === 'auth' ? 'landfall_auth' : 'landfall_system'}`);
  const copying = client.query(to(`copy (select ${columns} from ${quotedName(table)}${onlyKept(table)}) to stdout`));
  for await (const chunk of copying) await onChunk(chunk as Uint8Array);
  // The command result with the row count arrives after the end of the copy stream.
  await client.query('reset role');
  return copying.rowCount;
}

/** Keys of apps' access tokens end with the tokens, which no backup has. */
function onlyKept({ schema, name, columns }: KeptTable): string {
  const mayBeOfApps = schema === undefined && name === 'api_keys' && columns.includes('parent_id');
  return mayBeOfApps ? ' where parent_id is null' : '';
}

async function readSequences(client: pg.Client): Promise<SequenceValue[]> {
  const { rows } = await client.query<SequenceValue>(`
    select sequencename::text as name, last_value::text as last
    from pg_sequences
    where schemaname = 'landfall' and last_value is not null and sequencename <> 'migrations_id_seq'
    order by sequencename
  `);
  return rows;
}
