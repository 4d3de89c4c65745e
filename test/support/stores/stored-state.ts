import pg from 'pg';

export type WatchedState = {
  /** A digest of each table. Equal digests mean equal contents. */
  read: () => Promise<Record<string, string>>;
  close: () => Promise<void>;
};

type WatchedRows = {
  /** Columns that change without a client's write, such as leases. */
  without: readonly string[];
  /** Watches only rows that name it, in tables that have such a column. */
  accountId?: string;
  /** Tables of these schemas. */
  schemas: readonly string[];
  exceptTables?: readonly string[];
};

/**
 * Opens a connection that reads all tables in one statement, planned once: a test that compares the state before and
 * after each request reads it hundreds of times.
 */
export async function watchState(databaseUrl: string, rows: WatchedRows): Promise<WatchedState> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('set plan_cache_mode = force_generic_plan');
  const tables = await readTables(client, rows);
  const values = rows.accountId === undefined ? [rows.without] : [rows.without, rows.accountId];
  const text = tables.map(digestQuery).join(' union all ');
  return {
    read: async () => {
      const { rows: digests } = await client.query<{ name: string; digest: string }>({ name: 'state', text, values });
      return Object.fromEntries(digests.map(({ name, digest }) => [name, digest]));
    },
    close: () => client.end(),
  };
}

type Table = { name: string; owner: string | null };

/** A partitioned table is read whole, so that its partitions are left out. */
async function readTables(client: pg.Client, rows: WatchedRows): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name, owners.name as owner
     from pg_class as c
     join pg_namespace as n on n.oid = c.relnamespace
     left join lateral (
       select a.attname as name
       from pg_attribute as a
       where a.attrelid = c.oid and a.atttypid = 'uuid'::regtype
         and (a.attname in ('account_id', 'organization_id') or (c.oid = 'landfall.accounts'::regclass and a.attname = 'id'))
     ) as owners on $3
     where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all($2) and (owners.name is not null or not $3)
     order by 1`,
    [rows.schemas, rows.exceptTables ?? [], rows.accountId !== undefined],
  );
  if (tables.length < 12) throw new Error(`only ${tables.length} tables to watch`);
  return tables;
}

function digestQuery({ name, owner }: Table): string {
  const condition = owner === null ? '' : `where stored.${owner} = $2::uuid`;
  return `select '${name}' as name, concat(count(*), ' ', md5(string_agg(line, '|' order by line))) as digest
    from (select (to_jsonb(stored) - $1::text[])::text as line from ${name} as stored ${condition}) as lines`;
}
