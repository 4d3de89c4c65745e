import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { migrate, migrationNames } from '#infra/migrate.ts';
import { guessStatistics } from '#shared/store/guess-statistics.ts';
import { emptyDatabase } from '#test/support/postgres.ts';
import { until } from '#test/support/processes.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A database before the last migrations, some of which change `shipments`, and somebody who reads that table without an end. */
async function busyDatabase() {
  const { databaseUrl, drop } = await emptyDatabase();
  cleanups.push(drop);
  await migrate(databaseUrl, { count: 12 });
  const connect = async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    cleanups.push(() => client.end());
    return client;
  };
  const [reader, other] = [await connect(), await connect()];
  await reader.query('begin; lock table landfall.shipments in access share mode');
  const waitsForLock = async () => {
    const { rows } = await other.query<{ waiting: number }>(
      `select count(*)::integer as waiting from pg_stat_activity where application_name = 'landfall-migrate' and wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rows[0]?.waiting ?? 0;
  };
  return { databaseUrl, reader, other, waitsForLock };
}

async function newDatabase(): Promise<pg.Client> {
  const { databaseUrl, drop } = await emptyDatabase();
  cleanups.push(drop);
  await migrate(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  cleanups.push(() => client.end());
  return client;
}

it('a migration that waits for a table lets everybody else pass, and is applied once the table is free', async () => {
  const { databaseUrl, reader, other, waitsForLock } = await busyDatabase();
  const migrating = migrate(databaseUrl, { lockTimeoutMs: 200 });
  await until(waitsForLock, (waiting) => waiting === 1, 20_000);
  // Behind a migration that waited without an end it would wait until the reader is done.
  for (let read = 0; read < 5; read++) await other.query('select count(*) from landfall.shipments');
  await reader.query('rollback');
  expect(await migrating).toEqual({ applied: (await migrationNames()).length - 12 });
}, 60_000);

it('a table that stays in use is given up, nothing is changed, and the next try does it', async () => {
  const { databaseUrl, reader, other } = await busyDatabase();
  await expect(migrate(databaseUrl, { lockTimeoutMs: 50, attempts: 3 })).rejects.toThrow(
    /keep in use; nothing was changed\. Find who/,
  );
  const { rows } = await other.query<{ applied: number }>(
    'select count(*)::integer as applied from landfall.migrations',
  );
  expect(rows).toEqual([{ applied: 12 }]);
  await reader.query('rollback');
  expect(await migrate(databaseUrl)).toEqual({ applied: (await migrationNames()).length - 12 });
}, 60_000);

it('two that migrate at once take turns, however long the first takes', async () => {
  const { databaseUrl, drop } = await emptyDatabase();
  cleanups.push(drop);
  const done = await Promise.all([
    migrate(databaseUrl, { lockTimeoutMs: 50 }),
    migrate(databaseUrl, { lockTimeoutMs: 50 }),
  ]);
  expect(done.map(({ applied }) => applied).toSorted((left, right) => left - right)).toEqual([
    0,
    (await migrationNames()).length,
  ]);
}, 60_000);

it('a new database finds a shipment by its key and a number by its value from the first rows on, whatever a connection remembers', async () => {
  const client = await newDatabase();
  await client.query(`
    with a as (insert into landfall.accounts (name) values ('first') returning id), s as (
      insert into landfall.shipments (account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, tags, metadata, status, record,
        warnings, search_text)
      select id, false, 'ocean', 'MAEU', 'Maersk', 'maersk', '{}', '{}', '{}', 'pending', '{}', '[]', '' from a cross join generate_series(1, 500)
      returning account_id, id
    )
    insert into landfall.shipment_identifiers (account_id, shipment_id, key, value, match_value, source, test, transport_mode, carrier)
    select account_id, id, 'mbl', id::text, id::text, 'client', false, 'ocean', 'MAEU' from s`);
  // A plan that is kept is made without looking at the values.
  await client.query('set plan_cache_mode = force_generic_plan');
  const planOf = async (parameters: string, statement: string, values: string) => {
    await client.query(`prepare asked (${parameters}) as ${statement}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute asked (${values})`);
    await client.query('deallocate asked');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  // As PostgreSQL's own check of a foreign key says it.
  const check = 'select 1 from only landfall.shipments as x where account_id = $1 and id = $2 for key share of x';
  expect(await planOf('uuid, uuid', check, 'uuidv7(), uuidv7()')).toContain('Index Scan using shipments_pkey');
  const lookup = `select shipment_id from landfall.shipment_identifiers
    where account_id = $1 and match_value = $2 and key = $3 and transport_mode = 'ocean' and carrier = 'MAEU' and open and source = 'client'`;
  expect(await planOf('uuid, text, text', lookup, `uuidv7(), 'x', 'mbl'`)).toContain(
    'Index Scan using shipment_identifiers_by_match_value',
  );
});

it('no table is left without statistics', async () => {
  const client = await newDatabase();
  const { rows } = await client.query(
    `select relname from pg_class where relnamespace = 'landfall'::regnamespace and relkind = 'r' and reltuples <= 0`,
  );
  expect(rows).toEqual([]);
});

it('what analyze found stays when the database is migrated again', async () => {
  const client = await newDatabase();
  await client.query(`
    with a as (insert into landfall.accounts (name) values ('first') returning id)
    insert into landfall.changes (account_id, type, shipment_id, test, data)
    select a.id, 'shipment.created', '018f5ec0-7e57-7000-8000-00000000541b', false, '{}' from a cross join generate_series(1, 5000)`);
  await client.query('analyze landfall.changes');
  const statistics = async () =>
    (
      await client.query(
        `select attname, n_distinct, null_frac, avg_width from pg_stats where schemaname = 'landfall' and tablename = 'changes'`,
      )
    ).rows;
  const found = await statistics();
  expect(found).toContainEqual(expect.objectContaining({ attname: 'shipment_id', n_distinct: 1 }));
  await guessStatistics(client);
  expect(await statistics()).toEqual(found);
});
