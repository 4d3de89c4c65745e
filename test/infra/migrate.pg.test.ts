import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { howToStartOver } from '#infra/data-folder.ts';
import { migrate, migrationNames } from '#infra/migrate.ts';
import { guessStatistics } from '#shared/store/guess-statistics.ts';
import { plantMigrations } from '#test/support/stores/plant-migrations.ts';
import { emptyDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Migrations of a later release; the second one changes `shipments`. */
const later = {
  '9001_planted': `create table landfall.planted (account_id uuid primary key);
    select landfall.protect_table('landfall.planted', for_app => 'select');`,
  '9002_planted': `alter table landfall.shipments add column planted text not null default 'yes'`,
};

function laterRelease(): string {
  const { folder, remove } = plantMigrations(later);
  cleanups.push(remove);
  return folder;
}

/** A migrated database, a later release, and a reader that locks `shipments` until released. */
async function busyDatabase() {
  const { databaseUrl, drop } = await emptyDatabase();
  cleanups.push(drop);
  await migrate(databaseUrl);
  const [reader, other] = [await connected(databaseUrl), await connected(databaseUrl)];
  await reader.query('begin; lock table landfall.shipments in access share mode');
  const waitsForLock = async () => {
    const { rows } = await other.query<{ waiting: number }>(
      `select count(*)::integer as waiting from pg_stat_activity
        where application_name = 'landfall-migrate' and wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rows[0]?.waiting ?? 0;
  };
  return { databaseUrl, folder: laterRelease(), reader, other, waitsForLock };
}

async function newDatabase(folder?: string): Promise<pg.Client> {
  const { databaseUrl, drop } = await emptyDatabase();
  cleanups.push(drop);
  await migrate(databaseUrl, folder === undefined ? {} : { folder });
  return connected(databaseUrl);
}

async function connected(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  cleanups.push(() => client.end());
  return client;
}

it('applies later migrations on top of an existing database and keeps its data', async () => {
  const { databaseUrl, drop } = await emptyDatabase();
  cleanups.push(drop);
  const names = await migrationNames();
  expect(await migrate(databaseUrl)).toEqual({ applied: names.length });
  const client = await connected(databaseUrl);
  await client.query(`
    with a as (insert into landfall.accounts (name) values ('first') returning id)
    insert into landfall.shipments (
      account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, record
    )
    select id, false, 'ocean', 'MAEU', 'Maersk', 'maersk', '{}', '{}' from a`);
  const folder = laterRelease();
  expect(await migrate(databaseUrl, { folder })).toEqual({ applied: 2 });
  expect(await migrate(databaseUrl, { folder })).toEqual({ applied: 0 });
  const { rows } = await client.query(
    `select a.name, s.carrier, s.planted
      from landfall.shipments as s join landfall.accounts as a on a.id = s.account_id`,
  );
  expect(rows).toEqual([{ name: 'first', carrier: 'MAEU', planted: 'yes' }]);
  const applied = await client.query<{ name: string }>('select name from landfall.migrations order by id');
  expect(applied.rows.map(({ name }) => name)).toEqual([...names, ...Object.keys(later)]);
});

it('protects the table of a later migration, and lets no role of the application protect one', async () => {
  const client = await newDatabase(laterRelease());
  await client.query(`insert into landfall.accounts (name) values ('first'), ('second')`);
  await client.query('insert into landfall.planted (account_id) select id from landfall.accounts');
  const seenBy = async (role: string, accountId: string) => {
    await client.query(`begin; set local role ${role}; set local landfall.account_id = '${accountId}'`);
    const { rows } = await client.query<{ account_id: string }>('select account_id from landfall.planted');
    await client.query('rollback');
    return rows.map((row) => row.account_id);
  };
  const { rows } = await client.query<{ id: string }>('select id from landfall.accounts order by name');
  const [first = '', second = ''] = rows.map(({ id }) => id);
  expect(await seenBy('landfall_app', first)).toEqual([first]);
  expect(await seenBy('landfall_app', second)).toEqual([second]);
  expect(await seenBy('landfall_system', first)).toHaveLength(2);
  for (const role of ['landfall_app', 'landfall_system', 'landfall_auth']) {
    await client.query(`set role ${role}`);
    await expect(client.query(`select landfall.protect_table('landfall.planted')`), role).rejects.toThrow(
      /permission denied/,
    );
    await client.query('reset role');
  }
});

it('refuses a database of an older build, explains how to start over and changes nothing', async () => {
  const { databaseUrl, drop } = await emptyDatabase();
  cleanups.push(drop);
  const client = await connected(databaseUrl);
  await client.query(`
    create schema landfall;
    create table landfall.migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null);
    insert into landfall.migrations (name, run_on)
    values ('0001_schema', now()), ('0002_right_data', now())`);
  await expect(migrate(databaseUrl)).rejects.toThrow(
    'An older build of Landfall created this database. ' +
      "It can't be upgraded. Create an empty database and set DATABASE_URL to it.",
  );
  await expect(migrate(databaseUrl, { startOver: howToStartOver('/srv/landfall') })).rejects.toThrow(
    "It can't be upgraded. To start over, delete /srv/landfall or set LANDFALL_DATA_DIR to another folder.",
  );
  const { rows } = await client.query(
    `select relname from pg_class where relnamespace = 'landfall'::regnamespace and relkind = 'r'`,
  );
  expect(rows).toEqual([{ relname: 'migrations' }]);
});

it('names the line in which a migration failed, without printing its file', async () => {
  const { databaseUrl, drop } = await emptyDatabase();
  cleanups.push(drop);
  const { folder, remove } = plantMigrations({
    '9001_planted': '-- The first line.\nselect 1;\nselect missing from landfall.accounts;\nselect 2;',
  });
  cleanups.push(remove);
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  cleanups.push(() => written.mockRestore());
  await expect(migrate(databaseUrl, { folder })).rejects.toThrow('column "missing" does not exist');
  expect(written.mock.calls).toEqual([['A migration failed in line 3: select missing from landfall.accounts;\n']]);
});

it('lets requests pass while a migration waits for a table, and applies it once the table is free', async () => {
  const { databaseUrl, folder, reader, other, waitsForLock } = await busyDatabase();
  const migrating = migrate(databaseUrl, { folder, lockTimeoutMs: 200, attempts: 1000 });
  await until(waitsForLock, (waiting) => waiting === 1);
  // Behind a migration without a lock timeout, it would wait until the reader is done.
  for (let read = 0; read < 5; read++) await other.query('select count(*) from landfall.shipments');
  await reader.query('rollback');
  expect(await migrating).toEqual({ applied: 2 });
});

it('gives up when a table stays in use, changes nothing, and succeeds on the next call', async () => {
  const { databaseUrl, folder, reader, other } = await busyDatabase();
  await expect(migrate(databaseUrl, { folder, lockTimeoutMs: 50, attempts: 3 })).rejects.toThrow(
    /keep in use\. Nothing was changed\. Find the blocking session/,
  );
  const { rows } = await other.query(
    `select count(*)::integer as applied, to_regclass('landfall.planted') as planted from landfall.migrations`,
  );
  expect(rows).toEqual([{ applied: (await migrationNames()).length, planted: null }]);
  await reader.query('rollback');
  expect(await migrate(databaseUrl, { folder })).toEqual({ applied: 2 });
});

it('lets concurrent calls take turns, however long the first takes', async () => {
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
});

it('plans lookups by key and by number with the right index in a new database, also for cached plans', async () => {
  const client = await newDatabase();
  await client.query(`
    with a as (insert into landfall.accounts (name) values ('first') returning id), s as (
      insert into landfall.shipments (
        account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, tags, metadata, status, record,
        warnings, search_text
      )
      select id, false, 'ocean', 'MAEU', 'Maersk', 'maersk', '{}', '{}', '{}', 'pending', '{}', '[]', ''
      from a cross join generate_series(1, 500)
      returning account_id, id
    )
    insert into landfall.shipment_identifiers (
      account_id, shipment_id, key, value, match_value, source, test, transport_mode, carrier
    )
    select account_id, id, 'mbl', id::text, id::text, 'client', false, 'ocean', 'MAEU' from s`);
  // A generic plan is made without the values.
  await client.query('set plan_cache_mode = force_generic_plan');
  const planOf = async (parameters: string, statement: string, values: string) => {
    await client.query(`prepare asked (${parameters}) as ${statement}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute asked (${values})`);
    await client.query('deallocate asked');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  // The statement that PostgreSQL runs to check a foreign key.
  const check = 'select 1 from only landfall.shipments as x where account_id = $1 and id = $2 for key share of x';
  expect(await planOf('uuid, uuid', check, 'uuidv7(), uuidv7()')).toContain('Index Scan using shipments_pkey');
  const lookup = `select shipment_id from landfall.shipment_identifiers
    where account_id = $1 and match_value = $2 and key = $3 and transport_mode = 'ocean' and carrier = 'MAEU'
      and open and source = 'client'`;
  expect(await planOf('uuid, text, text', lookup, `uuidv7(), 'x', 'mbl'`)).toContain(
    'Index Scan using shipment_identifiers_by_match_value',
  );
});

it('leaves no table without statistics', async () => {
  const client = await newDatabase();
  const { rows } = await client.query(
    `select relname from pg_class where relnamespace = 'landfall'::regnamespace and relkind = 'r' and reltuples <= 0`,
  );
  expect(rows).toEqual([]);
});

it('keeps the statistics of analyze when the database is migrated again', async () => {
  const client = await newDatabase();
  await client.query(`
    with a as (insert into landfall.accounts (name) values ('first') returning id)
    insert into landfall.changes (account_id, type, shipment_id, test, data)
    select a.id, 'shipment.created', '018f5ec0-7e57-7000-8000-00000000541b', false, '{}'
    from a cross join generate_series(1, 5000)`);
  await client.query('analyze landfall.changes');
  const statistics = async () =>
    (
      await client.query(
        `select attname, n_distinct, null_frac, avg_width from pg_stats
          where schemaname = 'landfall' and tablename = 'changes'`,
      )
    ).rows;
  const found = await statistics();
  expect(found).toContainEqual(expect.objectContaining({ attname: 'shipment_id', n_distinct: 1 }));
  await guessStatistics(client);
  expect(await statistics()).toEqual(found);
});
