import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { migrate, migrationNames } from '#infra/migrate.ts';
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
  await expect(migrate(databaseUrl, { lockTimeoutMs: 50, attempts: 3 })).rejects.toThrow(/keep in use; nothing was changed\. Find who/);
  const { rows } = await other.query<{ applied: number }>('select count(*)::integer as applied from landfall.migrations');
  expect(rows).toEqual([{ applied: 12 }]);
  await reader.query('rollback');
  expect(await migrate(databaseUrl)).toEqual({ applied: (await migrationNames()).length - 12 });
}, 60_000);

it('two that migrate at once take turns, however long the first takes', async () => {
  const { databaseUrl, drop } = await emptyDatabase();
  cleanups.push(drop);
  const done = await Promise.all([migrate(databaseUrl, { lockTimeoutMs: 50 }), migrate(databaseUrl, { lockTimeoutMs: 50 })]);
  expect(done.map(({ applied }) => applied).toSorted((left, right) => left - right)).toEqual([0, (await migrationNames()).length]);
}, 60_000);

it('a new database finds the shipment of a foreign key by its primary key from the first row on, whatever a connection remembers', async () => {
  const { databaseUrl, drop } = await emptyDatabase();
  cleanups.push(drop);
  await migrate(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  cleanups.push(() => client.end());
  await client.query(`
    with a as (insert into landfall.accounts (name) values ('first') returning id)
    insert into landfall.shipments (account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, tags, metadata, status, record, warnings, search_text)
    select id, false, 'ocean', 'MAEU', 'Maersk', 'maersk', '{}', '{}', '{}', 'pending', '{}', '[]', '' from a`);
  // As PostgreSQL's own check of a foreign key says it, whose plan is kept without looking at the values.
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(
    'prepare found (uuid, uuid) as select 1 from only landfall.shipments as x where account_id = $1 and id = $2 for key share of x',
  );
  const { rows } = await client.query<{ 'QUERY PLAN': string }>('explain execute found (uuidv7(), uuidv7())');
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Scan using shipments_pkey');
});

it('no table is left without statistics', async () => {
  const { databaseUrl, drop } = await emptyDatabase();
  cleanups.push(drop);
  await migrate(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  cleanups.push(() => client.end());
  const { rows } = await client.query(
    `select relname from pg_class where relnamespace = 'landfall'::regnamespace and relkind = 'r' and reltuples <= 0`,
  );
  expect(rows).toEqual([]);
});
