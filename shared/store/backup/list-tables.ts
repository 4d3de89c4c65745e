import type pg from 'pg';

/** A table whose rows a backup holds. */
export type KeptTable = {
  name: string;
  /** In the table's own order, without generated ones. */
  columns: string[];
};

export type TableList = {
  /** Parents stand before the tables that refer to them. */
  kept: KeptTable[];
  /** Unlogged ones: a crash of the database empties them too, and nothing is missed. */
  passing: string[];
};

type FoundTable = { name: string; columns: string[]; parents: string[]; passing: boolean; readable: boolean };

/**
 * The tables of the schema as the catalogue has them, partitions as their parent. Throws when the system's role would not see every row of
 * one, for then a backup would lack rows without a word.
 */
export async function listTables(client: pg.ClientBase): Promise<TableList> {
  const { rows } = await client.query<FoundTable>(`
    select
      c.relname::text as name,
      array(
        select a.attname::text from pg_attribute as a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum
      ) as columns,
      array(
        select distinct p.relname::text from pg_constraint as k
          join pg_class as p on p.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
      ) as parents,
      c.relpersistence = 'u' or (
        c.relkind = 'p'
        and exists (select from pg_inherits as i where i.inhparent = c.oid)
        and not exists (
          select from pg_inherits as i join pg_class as part on part.oid = i.inhrelid
          where i.inhparent = c.oid and part.relpersistence <> 'u'
        )
      ) as passing,
      not c.relrowsecurity or exists (
        select from pg_policies as p
        where p.schemaname = 'landfall' and p.tablename = c.relname and 'landfall_system' = any (p.roles) and p.cmd in ('ALL', 'SELECT')
          and p.qual = 'true'
      ) as readable
    from pg_class as c
    where c.relnamespace = to_regnamespace('landfall') and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations'
    order by c.relname
  `);
  const kept = rows.filter((table) => !table.passing);
  const hidden = kept.filter((table) => !table.readable).map((table) => table.name);
  if (hidden.length > 0) throw new Error(`the role landfall_system does not see every row of ${hidden.join(', ')}`);
  return {
    kept: parentsFirst(kept).map(({ name, columns }) => ({ name, columns })),
    passing: rows.filter((table) => table.passing).map((table) => table.name),
  };
}

function parentsFirst(tables: FoundTable[]): FoundTable[] {
  const sorted: FoundTable[] = [];
  const waiting = new Map(tables.map((table) => [table.name, table]));
  while (waiting.size > 0) {
    const next = [...waiting.values()].filter((table) => !table.parents.some((parent) => waiting.has(parent)));
    if (next.length === 0) throw new Error(`the tables ${[...waiting.keys()].join(', ')} refer to each other in a circle`);
    for (const table of next) waiting.delete(table.name);
    sorted.push(...next);
  }
  return sorted;
}
