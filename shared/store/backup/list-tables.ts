import pg from 'pg';

/** A table whose rows are part of a backup. */
export type KeptTable = {
  name: string;
  /** Absent: `landfall`, as in backups from before the `auth` schema existed. */
  schema?: 'auth';
  /** In the table's own order, without generated columns. */
  columns: string[];
};

export type TableList = {
  /** Parents come before the tables that reference them. */
  kept: KeptTable[];
  /**
   * Unlogged tables, whose rows a database crash would remove as well, and everything that keeps users signed in and
   * apps connected: a session or an app that was ended after the backup must not come back.
   */
  passing: TableName[];
};

export type TableName = Pick<KeptTable, 'name' | 'schema'>;

type FoundTable = {
  schema: 'landfall' | 'auth';
  name: string;
  columns: string[];
  parents: string[];
  passing: boolean;
  readable: boolean;
};

const passingOfAuth = [
  'sessions',
  'verifications',
  'claim',
  'signing_secret',
  'oauth_clients',
  'oauth_resources',
  'oauth_consents',
  'oauth_refresh_tokens',
  'oauth_access_tokens',
];

/** The qualified name, quoted for use in a statement. */
export function quotedName({
  schema = 'landfall' as const,
  name,
}: {
  name: string;
  schema?: 'auth' | 'landfall';
}): string {
  return `${schema}.${pg.escapeIdentifier(name)}`;
}

/**
 * The tables of both schemas in the catalog, with partitions represented by their parent. Throws when the system role
 * can't see every row of a table, because the backup would silently miss rows.
 */
export async function listTables(client: pg.ClientBase): Promise<TableList> {
  const { rows } = await client.query<FoundTable>(
    `
    select
      n.nspname::text as schema,
      c.relname::text as name,
      array(
        select a.attname::text from pg_attribute as a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum
      ) as columns,
      array(
        select distinct concat(p.relnamespace::regnamespace, '.', p.relname) from pg_constraint as k
          join pg_class as p on p.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
      ) as parents,
      c.relpersistence = 'u' or (n.nspname = 'auth' and c.relname = any ($1)) or (
        c.relkind = 'p'
        and exists (select from pg_inherits as i where i.inhparent = c.oid)
        and not exists (
          select from pg_inherits as i join pg_class as part on part.oid = i.inhrelid
          where i.inhparent = c.oid and part.relpersistence <> 'u'
        )
      ) as passing,
      not c.relrowsecurity or exists (
        select from pg_policies as p
        where p.schemaname = n.nspname and p.tablename = c.relname and 'landfall_system' = any (p.roles) and p.cmd in ('ALL', 'SELECT')
          and p.qual = 'true'
      ) as readable
    from pg_class as c
      join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname in ('landfall', 'auth') and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations'
      -- Another program's schema with this name is ignored.
      and (n.nspname = 'landfall' or exists (select from pg_roles where rolname = 'landfall_auth' and has_schema_privilege(oid, n.oid, 'usage')))
    order by n.nspname desc, c.relname
  `,
    [passingOfAuth],
  );
  const kept = rows.filter((table) => !table.passing);
  const hidden = kept.filter((table) => !table.readable).map((table) => table.name);
  if (hidden.length > 0) throw new Error(`the role landfall_system can't see every row of ${hidden.join(', ')}`);
  return {
    kept: parentsFirst(kept).map((table) => ({ ...named(table), columns: table.columns })),
    passing: rows.filter((table) => table.passing).map(named),
  };
}

function named({ schema, name }: FoundTable): TableName {
  return schema === 'auth' ? { schema, name } : { name };
}

function parentsFirst(tables: FoundTable[]): FoundTable[] {
  const sorted: FoundTable[] = [];
  const waiting = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]));
  while (waiting.size > 0) {
    const next = [...waiting.values()].filter((table) => !table.parents.some((parent) => waiting.has(parent)));
    if (next.length === 0)
      throw new Error(`the tables ${[...waiting.keys()].join(', ')} reference each other in a cycle`);
    for (const table of next) waiting.delete(`${table.schema}.${table.name}`);
    sorted.push(...next);
  }
  return sorted;
}
