import pg from 'pg';
import { unpackText } from '#shared/store/packing/pack-text.ts';

/**
 * Finds a text in the database: `schema.table.column` for every column of every table, including packed data, in any
 * case. `databaseUrl`: of a superuser, whom row-level security doesn't bind.
 */
export async function findMarker(databaseUrl: string, marker: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string; table: string }>(`
      select c.oid::regclass::text as table, n.nspname || '.' || c.relname as name
      from pg_class as c
      join pg_namespace as n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
      order by 2`);
    const found = new Set<string>();
    for (const { name, table } of tables) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from ${table}`);
      for (const row of rows) {
        for (const [column, value] of Object.entries(row)) {
          if (textsOf(value).some((text) => text.toLowerCase().includes(marker.toLowerCase())))
            found.add(`${name}.${column}`);
        }
      }
    }
    return [...found].sort();
  } finally {
    await client.end();
  }
}

function textsOf(value: unknown): string[] {
  if (!Buffer.isBuffer(value)) return [typeof value === 'string' ? value : JSON.stringify(value)];
  try {
    return [value.toString(), unpackText(value)];
  } catch {
    // A hash, a key or a body as it was received.
    return [value.toString()];
  }
}
