import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '#infra/migrate.ts';
import { emptyDatabase } from '#test/support/stores/postgres.ts';

// The first release's schema with data, upgraded by an owner that row-level security binds, as on most hosted servers.
let client: pg.Client;
const closings: (() => Promise<unknown>)[] = [];

const time = (at: string, local: string) => ({ at, local, timezone: null, zoneSource: 'carrier', precision: 'minute' });
const record = {
  status: 'in_transit',
  departure: { planned: null, estimated: null, actual: time('2026-04-01T02:00:00.000Z', '2026-03-31T18:00') },
  arrival: {
    planned: null,
    estimated: time('2026-04-20T23:30:00.000Z', '2026-04-21T08:30'),
    actual: null,
    delayHours: 30,
  },
  delivery: { estimated: null, actual: null },
  legs: [{ vehicle: { name: 'Ever Given', imo: '9811000' } }],
  containerStatusCounts: { in_transit: 1 },
};

beforeAll(async () => {
  const { databaseUrl, drop } = await emptyDatabase();
  closings.push(drop);
  const url = new URL(databaseUrl);
  const database = url.pathname.slice(1);
  const owner = `upgrading_${database.slice(-16)}`;
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  closings.push(() => client.end());
  await client.query(`create role ${owner} login password 'another' nosuperuser`);
  await client.query(
    `grant landfall_app, landfall_system, landfall_auth, landfall_queue to ${owner} with inherit false, set true`,
  );
  await client.query(`alter database ${database} owner to ${owner}`);
  closings.push(async () => {
    await client.query(`reassign owned by ${owner} to current_user`);
    await client.query(`drop owned by ${owner}`);
    await client.query(`drop role ${owner}`);
  });
  url.username = owner;
  url.password = 'another';
  await migrate(url.href, { count: 1 });
  await client.query(
    `with a as (insert into landfall.accounts (name) values ('from before') returning id),
    s as (
      insert into landfall.shipments (
        account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, status, record, metadata,
        destination_name, search_text, eta, departed_at, delay_hours
      )
      select id, false, 'ocean', 'MAEU', 'Maersk', 'maersk', '{}', 'in_transit', $1, '{"buyer": "acme"}',
        'göteborg', 'göteborg', '2026-04-20T23:30:00Z', '2026-04-01T02:00:00Z', 30
      from a
      returning account_id, id
    )
    insert into landfall.polling (account_id, shipment_id, connector, state) select account_id, id, 'maersk', 'failed' from s`,
    [JSON.stringify(record)],
  );
  await migrate(url.href);
});

afterAll(async () => {
  for (const close of closings.reverse()) await close();
});

it('fills every column that later releases added, whoever owns the database', async () => {
  const { rows } = await client.query(
    `select eta_day::text, departed_day::text, destination_name, late_from::text, recompose, needs_attention,
      landfall.vessels_of(record) as vessels
    from landfall.shipments`,
  );
  expect(rows).toEqual([
    {
      eta_day: '2026-04-21',
      departed_day: '2026-03-31',
      destination_name: 'goteborg',
      late_from: '-infinity',
      recompose: true,
      needs_attention: true,
      vessels: expect.arrayContaining(['ever given', '9811000']),
    },
  ]);
  const search = await client.query<{ terms: string[] }>('select terms from landfall.shipment_search');
  expect(search.rows[0]?.terms).toEqual(expect.arrayContaining(['meta buyer=acme', 'vessel ever given']));
  const counts = await client.query('select state, needs_attention, counted::int from landfall.shipment_counts');
  expect(counts.rows).toEqual([{ state: 'failed', needs_attention: true, counted: 1 }]);
});

it('leaves every table under row-level security', async () => {
  const { rows } = await client.query(
    `select relname from pg_class
    where relnamespace = 'landfall'::regnamespace and relkind in ('r', 'p') and relrowsecurity and not relforcerowsecurity`,
  );
  expect(rows).toEqual([]);
});
