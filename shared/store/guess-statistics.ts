import type pg from 'pg';

/** Of a hundred rows, how many have a value of their own there. */
const distinct = { id: 100, shipment_id: 30, match_value: 70 };

/**
 * Gives tables that were never filled a first guess of their size and of columns with mostly distinct values. To the
 * planner an empty table is so small that every index costs the same: foreign-key checks and lookups of a new
 * installation would take any index that begins with the account, and connections keep such plans. Columns without
 * statistics count as 200 distinct values, from one to the next of which an index scan may skip. The first analyze of
 * rows replaces the guess.
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
