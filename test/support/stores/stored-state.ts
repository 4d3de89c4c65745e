import pg from 'pg';

/** Tables and columns that change without a client's write, such as leases. */
const moving = ['last_used_at', 'position', 'lease_until'];

/** A digest of each table. Equal digests mean equal contents. */
export async function storedState(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables
       where schemaname = 'landfall' and tablename <> 'account_feeds'
       order by tablename`,
    );
    const digests: Record<string, string> = {};
    for (const { name } of rows) {
      const { rows: found } = await client.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(line, '|' order by line)), '') as digest
         from (
           select (to_jsonb(stored) - $1::text[])::text as line
           from landfall.${client.escapeIdentifier(name)} as stored
         ) as lines`,
        [moving],
      );
      digests[name] = found[0]?.digest ?? '';
    }
    return digests;
  } finally {
    await client.end();
  }
}
