import type pg from 'pg';

/**
 * What migration 0012 does, for tables that came later and for those of which an index was made since: that counts their rows, and finds none.
 * Without it every index of an empty table costs the same, and connections keep the plans they made then, those of foreign keys among them.
 */
export async function guessStatistics(client: pg.Client): Promise<void> {
  await client.query(`
    select pg_restore_relation_stats('schemaname', 'landfall', 'relname', c.relname::text, 'relpages', 1, 'reltuples', 1000::real)
    from pg_class as c
    where c.relnamespace = 'landfall'::regnamespace and c.relkind = 'r' and c.reltuples <= 0`);
}
