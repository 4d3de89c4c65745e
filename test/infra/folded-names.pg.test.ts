import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate, migrationNames } from '#infra/migrate.ts';
import { foldName, foldText } from '#shared/domain/fold-text.ts';
import { emptyDatabase } from '#test/support/stores/postgres.ts';

const names = [
  'göteborg',
  'københavn ø',
  'łódź',
  'são paulo/guarulhos',
  'straßburg – hafen',
  'ｔｏｋｙｏ',
  '東京',
  'ガ',
  'dallas/fort worth',
  'odesa (одеса)',
  "st. john's",
  'þórshöfn',
  'rotterdam',
];

let client: pg.Client;
let drop: () => Promise<unknown>;

beforeAll(async () => {
  const database = await emptyDatabase();
  drop = database.drop;
  const before = (await migrationNames()).indexOf('0004_folded_names');
  await migrate(database.databaseUrl, { count: before });
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query(
    `with a as (insert into landfall.accounts (name) values ('first') returning id)
    insert into landfall.shipments (
      account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, record, reference, origin_name,
      destination_name, search_text
    )
    select a.id, false, 'ocean', 'MAEU', 'Maersk', 'maersk', '{}', '{}', n.name, n.name, 'genova', 'maeu' || chr(10) || n.name
    from a, unnest($1::text[]) as n (name)`,
    [names],
  );
  await migrate(database.databaseUrl);
});

afterAll(async () => {
  await client.end();
  await drop();
});

it('folds stored names and search texts as the application does', async () => {
  const { rows } = await client.query<Record<string, string>>(
    'select reference, origin_name, destination_name, search_text from landfall.shipments',
  );
  expect(rows).toHaveLength(names.length);
  for (const { reference = '', ...row } of rows)
    expect(row, reference).toEqual({
      origin_name: foldName(reference),
      destination_name: 'genova',
      search_text: `maeu\n${foldText(reference)}`,
    });
});

it('finds the folded text in the word index', async () => {
  const { rows } = await client.query<{ text: string }>(
    `select text from landfall.shipment_search where text like '%goteborg%'`,
  );
  expect(rows).toEqual([{ text: 'maeu\ngoteborg' }]);
});
