import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '#infra/migrate.ts';
import { foldName, foldText } from '#shared/domain/fold-text.ts';
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
};

/** The tracking of stored shipments, and whether each needs attention. */
const tracked = [
  { state: 'active', reason: null, hours: 1, needs: false },
  { state: 'failed', reason: 'not_found', hours: 1, needs: true },
  { state: 'awaiting_carrier', reason: 'credentials_missing', hours: 1, needs: true },
  { state: 'awaiting_carrier', reason: 'carrier_not_found_yet', hours: 49, needs: true },
  { state: 'awaiting_carrier', reason: 'carrier_not_found_yet', hours: 47, needs: false },
];

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
  await client.query(`grant landfall_app, landfall_system, landfall_auth to ${owner} with inherit false, set true`);
  await client.query(`alter database ${database} owner to ${owner}`);
  closings.push(async () => {
    await client.query(`reassign owned by ${owner} to current_user`);
    await client.query(`drop owned by ${owner}`);
    await client.query(`drop role ${owner}`);
  });
  url.username = owner;
  url.password = 'another';
  await migrate(url.href, { count: 1 });
  await addShipment('late');
  for (const [index, { state, reason, hours }] of tracked.entries())
    await addShipment('tracked', { reference: `tracked ${index}`, state, reason, hours });
  for (const name of names) await addShipment('named', { reference: name, name });
  await addShipment('wholly read');
  await client.query(
    `insert into landfall.rejected_events (account_id, shipment_id, raw, raw_hash, reason)
    select account_id, id, '{}', sha256('{}'), 'no time' from landfall.shipments where id = $1`,
    [await addShipment('partly read')],
  );
  await addImport();
  await migrate(url.href);
});

afterAll(async () => {
  for (const close of closings.reverse()) await close();
});

describe('an upgrade of the first release, whoever owns the database', () => {
  it('fills every column that needs no events', async () => {
    const { rows } = await client.query(
      `select eta_day::text, departed_day::text, destination_name, late_from::text, overdue_from = eta as overdue,
        recompose, needs_attention, search_terms
      from ${shipmentsOf('late')}`,
    );
    expect(rows).toEqual([
      {
        eta_day: '2026-04-21',
        departed_day: '2026-03-31',
        destination_name: 'goteborg',
        late_from: '-infinity',
        overdue: true,
        recompose: true,
        needs_attention: true,
        search_terms: expect.arrayContaining(['tag acme', 'destination SEGOT', 'meta buyer=acme']),
      },
    ]);
  });

  it('decides whether each shipment needs attention, and counts them by it', async () => {
    const { rows } = await client.query<{ needs: boolean; due: boolean }>(
      `select needs_attention as needs, attention_at is not null as due from ${shipmentsOf('tracked')} order by reference`,
    );
    expect(rows.map(({ needs }) => needs)).toEqual(tracked.map(({ needs }) => needs));
    expect(rows.map(({ due }) => due)).toEqual([false, false, false, false, true]);
    const { rows: counts } = await client.query(
      `select state, reason, needs_attention as needs, sum(counted)::int as counted
      from landfall.shipment_counts join landfall.accounts as a on a.id = account_id
      where a.name = 'tracked'
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

  it('folds names and search texts as the application does, in the word index, too', async () => {
    const { rows } = await client.query<Record<string, string>>(
      `select s.reference, s.origin_name, s.destination_name, s.search_text, w.text, w.terms = s.search_terms as same
      from ${shipmentsOf('named')} join landfall.shipment_search as w on w.shipment_id = s.id`,
    );
    expect(rows).toHaveLength(names.length);
    for (const { reference = '', ...row } of rows) {
      const text = `maeu\n${foldText(reference)}`;
      expect(row, reference).toEqual({
        origin_name: foldName(reference),
        destination_name: 'goteborg',
        search_text: text,
        text,
        same: true,
      });
    }
  });

  it('forgets the last reading where a part of it could not be read, so that it is read again', async () => {
    const { rows } = await client.query(
      `select a.name, p.reading_hash is not null as known, p.answer_hash is not null as answered
      from landfall.polling as p join landfall.accounts as a on a.id = p.account_id
      where a.name in ('wholly read', 'partly read') order by a.name desc`,
    );
    expect(rows).toEqual([
      { name: 'wholly read', known: true, answered: true },
      { name: 'partly read', known: false, answered: false },
    ]);
  });

  it('turns rows of imports that were stored as lines of CSV into cells', async () => {
    const chunk = await client.query('select rows from landfall.import_chunks');
    expect(JSON.parse(chunk.rows[0].rows)).toEqual([
      { line: 2, content: ['1', 'a "b";\nc'], problem: null },
      { line: 3, content: ['2', ''], problem: null },
      { line: 4, content: ['"open'], problem: 'open_quote' },
    ]);
    const errors = await client.query('select raw, severity, line from landfall.import_errors');
    expect(errors.rows.map((row) => ({ ...row, raw: JSON.parse(row.raw) }))).toEqual([
      { raw: ['', 'x'], severity: 'error', line: null },
    ]);
  });

  it('leaves every table under row-level security', async () => {
    const { rows } = await client.query(
      `select relname from pg_class
      where relnamespace = 'landfall'::regnamespace and relkind in ('r', 'p') and relrowsecurity and not relforcerowsecurity`,
    );
    expect(rows).toEqual([]);
  });
});

function shipmentsOf(account: string): string {
  return `(select * from landfall.shipments where account_id = (select id from landfall.accounts where name = '${account}')) as s`;
}

type Added = { reference?: string; name?: string; state?: string; reason?: string | null; hours?: number };

/** A shipment of the account of this name, as the first release stored it. Without a state its arrival is late. */
async function addShipment(account: string, added: Added = {}): Promise<string> {
  const { reference = null, name = null, state = 'active', reason = null, hours = 1 } = added;
  const isLate = added.state === undefined;
  await client.query(
    'insert into landfall.accounts (name) select $1 where not exists (select from landfall.accounts where name = $1)',
    [account],
  );
  const { rows } = await client.query<{ id: string }>(
    `with s as (
      insert into landfall.shipments (
        account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, status, record, tags, metadata,
        reference, origin_name, destination_name, destination_unlocode, search_text, eta, departed_at, delay_hours
      )
      select id, false, 'ocean', 'MAEU', 'Maersk', 'maersk', '{}', 'in_transit', $2, '{acme}', '{"buyer": "acme"}',
        $3, $4, 'göteborg', 'SEGOT', 'maeu' || chr(10) || coalesce($4, ''), $5, $6, $7
      from landfall.accounts where name = $1
      returning account_id, id
    )
    insert into landfall.polling (
      account_id, shipment_id, connector, state, reason, tracking_since, reading_hash, answer_hash
    )
    select account_id, id, 'maersk', $8, $9, now() - $10 * interval '1 hour', sha256('reading'), sha256('answer') from s
    returning shipment_id as id`,
    [
      account,
      JSON.stringify(isLate ? record : {}),
      reference,
      name,
      ...(isLate
        ? [record.arrival.estimated.at, record.departure.actual.at, record.arrival.delayHours]
        : [null, null, null]),
      state,
      reason,
      hours,
    ],
  );
  return rows[0]?.id ?? '';
}

async function addImport(): Promise<void> {
  const options = { delimiter: ';', columns: ['mbl', 'reference'], carrier: null, transportMode: null };
  const rows = JSON.stringify([['1;"a ""b"";\nc"'], ['2;'], ['"open', 'open_quote']]);
  await client.query(
    `with i as (
      insert into landfall.imports (account_id, test, format, options, dry_run, received)
      select id, false, 'csv', $1, false, 3 from landfall.accounts where name = 'late'
      returning account_id, id
    ),
    c as (
      insert into landfall.import_chunks (account_id, import_id, number, first_row, row_count, content_hash, rows)
      select account_id, id, 0, 1, 3, sha256('x'), $2 from i
    )
    insert into landfall.import_errors (account_id, import_id, row_number, raw, code, detail)
    select account_id, id, 9, ';"x"', 'validation_failed', 'd' from i`,
    [JSON.stringify(options), rows],
  );
}
