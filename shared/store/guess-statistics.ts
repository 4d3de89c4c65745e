import type pg from 'pg';

/** Share of distinct values, per hundred rows. */
const distinct = { id: 100, shipment_id: 30, match_value: 70 };

/**
 * Sets initial statistics for tables that have never been filled: a row count, and mostly distinct values for some
 * columns. For the planner, an empty table is so small that every index costs the same, so a new installation would get
 * foreign-key checks and lookups with a poor index, and connections cache such plans. Without statistics, a column
 * counts as 200 distinct values, which makes index skip scans attractive. The first analyze of real rows replaces these
 * values.
 */
export async function guessStatistics(client: pg.Client): Promise<void> {
  await client.query(`
    select pg_restore_relation_stats('schemaname', 'landfall', 'relname', c.relname::text,
      'relpages', 1, 'reltuples', 1000::real)
    from pg_class as c
    where c.relnamespace = 'landfall'::regnamespace and c.relkind = 'r' and c.reltuples <= 0
      and pg_relation_size(c.oid) <= 100 * 8192`);
  await client.query(
    `
    select pg_restore_attribute_stats('schemaname', 'landfall', 'relname', c.relname::text,
      'attname', a.attname::text, 'inherited', false,
      'null_frac', 0::real, 'avg_width', 16, 'n_distinct', (-d.percent::integer / 100.0)::real)
    from pg_class as c
    join pg_attribute as a on a.attrelid = c.oid
    join json_each_text($1::json) as d (name, percent) on d.name = a.attname
    where c.relnamespace = 'landfall'::regnamespace and c.relkind = 'r' and c.relpages = 1 and c.reltuples = 1000`,
    [JSON.stringify(distinct)],
  );
}
