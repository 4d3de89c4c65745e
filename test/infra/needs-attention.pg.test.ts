import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate, migrationNames } from '#infra/migrate.ts';
import { emptyDatabase } from '#test/support/stores/postgres.ts';

let client: pg.Client;
let drop: () => Promise<unknown>;

const port = (unlocode: string) => ({ unlocode, name: unlocode, lat: 10, lng: 20 });
const atSea = {
  currentLocation: null,
  latestEvent: { location: port('CNSHA') },
  legs: [{ from: port('CNSHA'), to: port('NLRTM'), departure: { actual: {} }, arrival: { actual: null } }],
};

/** The tracking of stored shipments, and whether each needs attention. */
const stored = [
  { state: 'active', reason: null, hours: 1, needs: false },
  { state: 'failed', reason: 'not_found', hours: 1, needs: true },
  { state: 'awaiting_carrier', reason: 'credentials_missing', hours: 1, needs: true },
  { state: 'awaiting_carrier', reason: 'carrier_not_found_yet', hours: 49, needs: true },
  { state: 'awaiting_carrier', reason: 'carrier_not_found_yet', hours: 47, needs: false },
];

beforeAll(async () => {
  const database = await emptyDatabase();
  drop = database.drop;
  const before = (await migrationNames()).indexOf('0010_needs_attention');
  await migrate(database.databaseUrl, { count: before });
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query(
    `with a as (insert into landfall.accounts (name) values ('first') returning id),
    s as (
      insert into landfall.shipments (
        account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, record, reference
      )
      select a.id, false, 'ocean', 'MAEU', 'Maersk', 'maersk', '{}', $5::jsonb, n.place::text
      from a, unnest($1::int[]) as n (place)
      returning account_id, id, reference::int as place
    )
    insert into landfall.polling (account_id, shipment_id, connector, state, reason, tracking_since)
    select s.account_id, s.id, 'maersk', ($2::text[])[s.place], ($3::text[])[s.place],
      now() - ($4::int[])[s.place] * interval '1 hour'
    from s`,
    [
      stored.map((_, index) => index + 1),
      stored.map(({ state }) => state),
      stored.map(({ reason }) => reason),
      stored.map(({ hours }) => hours),
      JSON.stringify(atSea),
    ],
  );
  await migrate(database.databaseUrl);
});

afterAll(async () => {
  await client.end();
  await drop();
});

it('decides for stored shipments whether they need attention, and counts them by it', async () => {
  const { rows } = await client.query<{ needs: boolean; due: boolean }>(
    `select needs_attention as needs, attention_at is not null as due from landfall.shipments order by reference::int`,
  );
  expect(rows.map(({ needs }) => needs)).toEqual(stored.map(({ needs }) => needs));
  expect(rows.map(({ due }) => due)).toEqual([false, false, false, false, true]);
  const { rows: counts } = await client.query(
    `select state, reason, needs_attention as needs, sum(counted)::int as counted from landfall.shipment_counts
    group by 1, 2, 3 order by 1, 2, 3`,
  );
  expect(counts).toEqual([
    { state: 'active', reason: '', needs: false, counted: 1 },
    { state: 'awaiting_carrier', reason: 'carrier_not_found_yet', needs: false, counted: 1 },
    { state: 'awaiting_carrier', reason: 'carrier_not_found_yet', needs: true, counted: 1 },
    { state: 'awaiting_carrier', reason: 'credentials_missing', needs: true, counted: 1 },
    { state: 'failed', reason: 'not_found', needs: true, counted: 1 },
  ]);
});

it('places stored shipments between the port that they left and the next one', async () => {
  const { rows } = await client.query<{ map_key: string }>('select distinct map_key from landfall.shipments');
  expect(rows).toEqual([{ map_key: 'CNSHA~NLRTM~ocean' }]);
});
