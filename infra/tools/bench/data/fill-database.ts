import pg from 'pg';
import { lanes, makeLookups } from './fill-lookups.ts';

export type Fill = {
  databaseUrl: string;
  /** Total; half of them belong to the first account. */
  shipments: number;
  /** Accounts that share the other half, the first of them the largest. Default 200. */
  otherAccounts?: number;
  /** The account that gets half of everything. Created if it doesn't exist. */
  largeAccountId?: string;
  note?: (line: string) => void;
};

const batchSize = 20_000;
const tables = ['shipments', 'shipment_identifiers', 'polling', 'shipment_search', 'shipment_tags', 'shipment_counts'];

/**
 * Fills a migrated, empty database with a year's worth of data: every mode and status, voyages on 1,200 vessels between
 * 60 ports, tags, references, and accounts of very different sizes. The schema's own triggers write the derived
 * columns. Indexes are built at the end, which takes a fifth of the time. The same count gives the same data, apart
 * from IDs and timestamps. Returns the large account's ID.
 */
export async function fillDatabase(fill: Fill): Promise<string> {
  const { shipments, otherAccounts = 200, note = () => undefined } = fill;
  const client = new pg.Client({ connectionString: fill.databaseUrl });
  await client.connect();
  try {
    await client.query(
      `set maintenance_work_mem = '1GB'; set work_mem = '64MB'; set synchronous_commit = off; select setseed(0.5)`,
    );
    await client.query('begin');
    const largeAccountId = fill.largeAccountId ?? (await newAccount(client));
    await makeLookups(client, { otherAccounts, largeAccountId });
    const indexes = await takeIndexes(client);
    // These triggers would lock each shipment once more. Everything is counted at once below.
    await client.query('alter table landfall.shipments disable trigger shipments_count_new');
    await client.query('alter table landfall.polling disable trigger polling_count_new');
    for (let from = 1; from <= shipments; from += batchSize) {
      await addShipments(client, { from, to: Math.min(from + batchSize - 1, shipments), shipments });
      if (from % (batchSize * 10) === 1) note(`${from - 1} shipments inserted`);
    }
    await client.query('alter table landfall.shipments enable trigger shipments_count_new');
    await client.query('alter table landfall.polling enable trigger polling_count_new');
    await client.query(`
      update landfall.shipments as s
      set needs_attention = a.from_at <= now(), attention_at = case when a.from_at > now() then a.from_at end
      from landfall.polling as p
      cross join lateral (
        select landfall.attention_from(false, null, p.state, p.reason, p.last_succeeded_at, p.tracking_since) as from_at
      ) as a
      where s.account_id = p.account_id and s.id = p.shipment_id and not s.needs_attention and a.from_at is not null`);
    await client.query(`
      insert into landfall.shipment_counts (account_id, test, archived, status, state, has_exception, reason, needs_attention, counted)
      select s.account_id, s.test, s.archived_at is not null, s.status, p.state, s.has_exception, coalesce(p.reason, ''), s.needs_attention, count(*)
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      group by 1, 2, 3, 4, 5, 6, 7, 8`);
    for (const definition of indexes) await client.query(definition);
    await client.query('commit');
    note('the indexes are built');
    await client.query(`vacuum analyze ${tables.map((table) => `landfall.${table}`).join(', ')}`);
    return largeAccountId;
  } finally {
    await client.end();
  }
}

async function newAccount(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into landfall.accounts (name) values ('large') returning id`,
  );
  if (rows[0] === undefined) throw new Error('no account was created');
  return rows[0].id;
}

/** Drops the indexes that no constraint needs. Returns the statements that recreate them. */
async function takeIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index as i
    where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint as c where c.conindid = i.indexrelid)`,
    [tables.map((table) => `landfall.${table}`)],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/** One statement per table; the random numbers are drawn once per row. */
async function addShipments(client: pg.Client, batch: { from: number; to: number; shipments: number }): Promise<void> {
  await client.query(
    `create temporary table fill_rows on commit drop as
    with drawn as materialized (
      select n, random() as account_draw, random() as line_draw, random() as status_draw, random() as late_draw, random() as tag_draw,
        random() as time_draw, floor(${lanes} * power(random(), 2))::int as lane,
        (1 + 1199 * random())::int as vessel, date_trunc('milliseconds', now() - (($3::int - n) / $3::float8) * interval '365 days') as created_at
      from generate_series($1::int, $2::int) as n
    ),
    aged as (
      select d.*, extract(epoch from now() - d.created_at) / 86400 as days from drawn as d
    ),
    placed as (
      select a.*,
        case
          when days < 1 then case when status_draw < 0.6 then 'pending' else 'booked' end
          when days < 8 then case when status_draw < 0.05 then 'pending' when status_draw < 0.5 then 'booked' else 'in_transit' end
          when days < 40 then (array['in_transit', 'in_transit', 'in_transit', 'in_transit', 'in_transit', 'in_transit', 'in_transit', 'arrived',
            'available_for_pickup', 'out_for_delivery', 'delivered', 'booked', 'cancelled'])[1 + floor(status_draw * 13)::int]
          when status_draw < 0.95 then 'delivered'
          when status_draw < 0.965 then 'in_transit'
          when status_draw < 0.98 then 'cancelled'
          when status_draw < 0.99 then 'returned'
          else 'failed'
        end as status,
        case
          when line_draw < 0.70 then (array['MAEU', 'MAEU', 'MSCU', 'MSCU', 'CMDU', 'HLCU', 'ONEY', 'EGLV', 'ZIMU', 'YMLU'])[1 + floor(line_draw * 14.28)::int % 10]
          when line_draw < 0.88 then (array['ups', 'fedex', 'dhl'])[1 + floor(line_draw * 1000)::int % 3]
          when line_draw < 0.96 then 'LH'
          else 'EXLA'
        end as wanted_carrier
      from aged as a
    )
    select p.*, uuidv7(p.created_at - now()) as id, l.mode, l.carrier, l.name as carrier_name, l.connector,
      case
        when p.n % 2 = 0 then a.large_id else a.id
      end as account_id,
      case l.mode when 'ocean' then l.carrier || lpad((100000000 + p.n)::text, 9, '0') when 'air' then '020-' || lpad(p.n::text, 8, '0')
        when 'parcel' then '1Z' || upper(substr(md5(p.n::text), 1, 8)) || lpad(p.n::text, 8, '0') else lpad(p.n::text, 10, '0') end as number,
      case l.mode when 'ocean' then 'mbl' when 'air' then 'awb' when 'parcel' then 'tracking_number' else 'pro' end as number_key,
      'MSKU' || lpad(((p.n::bigint * 7919) % 10000000)::text, 7, '0') as container,
      case when p.n % 7 <> 0 then 'PO-' || upper(substr(md5('po' || p.n), 1, 4)) || '-' || p.n end as reference,
      case
        when p.tag_draw < 0.05 then array['urgent', 'customer-' || (p.n % 300)]
        when p.tag_draw < 0.20 then array['acme']
        when p.tag_draw < 0.50 then array['customer-' || (p.n % 300)]
        else '{}'::text[]
      end as tags,
      'landfall vessel ' || upper(substr(md5(p.vessel::text), 1, 6)) as vessel_name,
      case when p.status <> 'pending' then date_trunc('milliseconds', p.created_at + (18 + 25 * p.time_draw) * interval '1 day') end as eta,
      case when p.status not in ('pending', 'booked') then date_trunc('milliseconds', p.created_at + (4 + 4 * p.time_draw) * interval '1 day') end as departed_at,
      case when p.status <> 'pending' and p.late_draw < 0.12 then 24 + floor(200 * p.late_draw) when p.late_draw < 0.25 then 6 when p.late_draw < 0.6 then 0 end as delay_hours,
      case when p.status <> 'pending' and p.late_draw < 0.12 then '-infinity'::timestamptz end as late_from,
      case when l.mode = 'ocean' and p.status <> 'pending' and p.days < 60 then ((p.created_at + (23 + 25 * p.time_draw) * interval '1 day') at time zone 'UTC')::date end
        as last_free_day,
      p.status <> 'pending' and p.status_draw > 0.9 and p.days < 60 as has_exception,
      case when p.status = 'pending' then p.created_at
        else date_trunc('milliseconds', least(now() - p.time_draw * interval '20 hours', p.created_at + (35 + 15 * p.time_draw) * interval '1 day')) end as updated_at
    from placed as p
    join fill_lines as l on l.carrier = p.wanted_carrier
    join fill_accounts as a on a.n = 1 + floor(power(p.account_draw, 3) * a.others)::int`,
    [batch.from, batch.to, batch.shipments],
  );
  await client.query('analyze fill_rows');
  await client.query(`
    insert into landfall.shipments (
      account_id, id, test, transport_mode, carrier, carrier_name, connector, identifiers, reference, tags, metadata, status, status_changed_at,
      has_exception, exception_codes, eta, eta_day, departed_at, departed_day, delay_hours, origin_unlocode, origin_name, origin_country, destination_unlocode,
      destination_name, destination_country, last_event_at, record, search_text, search_terms, open, closed_at, late_from, last_free_day, free_time_states,
      created_at, updated_at
    )
    select
      r.account_id, r.id, false, r.mode, r.carrier, r.carrier_name, r.connector,
      jsonb_build_object(r.number_key, r.number) || case when r.mode = 'ocean' then jsonb_build_object('container', r.container) else '{}' end,
      r.reference, r.tags, jsonb_build_object('order', r.n), r.status, case when r.status <> 'pending' then r.updated_at end, r.has_exception,
      case when r.has_exception then array['delayed'] else '{}'::text[] end, r.eta, (r.eta at time zone 'UTC')::date, r.departed_at,
      (r.departed_at at time zone 'UTC')::date, r.delay_hours, t.origin_unlocode, t.origin_name,
      t.origin_country, t.destination_unlocode, t.destination_name, t.destination_country, case when r.status <> 'pending' then r.updated_at end,
      t.record,
      lower(concat_ws(E'\\n', r.reference, r.carrier, r.carrier_name, r.number, replace(r.number, '-', ''),
        case when r.mode = 'ocean' then r.container end, t.origin_name, t.origin_unlocode, t.destination_name, t.destination_unlocode,
        case when r.mode = 'ocean' and r.status <> 'pending' then r.vessel_name || E'\\n' || (100 + r.n % 40) || 'W' end)),
      array_remove(array['meta order=' || r.n, 'origin ' || t.origin_unlocode, 'origin ' || t.origin_country, 'destination ' || t.destination_unlocode,
        'destination ' || t.destination_country], null) || case when r.mode = 'ocean' and r.status <> 'pending' then array['vessel ' || lower(r.vessel_name)] else '{}' end
        || array(select 'tag ' || g.tag from unnest(r.tags) as g (tag)),
      r.status not in ('delivered', 'returned', 'cancelled'), case when r.status in ('delivered', 'returned', 'cancelled') then r.updated_at end, r.late_from, r.last_free_day,
      case when r.last_free_day < current_date then '{over}'::text[] when r.last_free_day < current_date + 3 then '{expiring}'
        when r.last_free_day is not null then '{running}' else '{}' end,
      r.created_at, r.updated_at
    from fill_rows as r
    join fill_templates as t on t.status = r.status and t.lane = r.lane and t.has_exception = r.has_exception
    order by r.n`);
  await client.query(`
    insert into landfall.shipment_identifiers (account_id, shipment_id, key, value, match_value, source, test, transport_mode, carrier, open)
    select r.account_id, r.id, i.key, i.value, i.match_value, 'client', false, r.mode, r.carrier, r.status not in ('delivered', 'returned', 'cancelled')
    from fill_rows as r
    cross join lateral (
      values (r.number_key, r.number, case when r.mode = 'ocean' then substr(r.number, 5) else replace(r.number, '-', '') end),
        ('container', r.container, r.container)
    ) as i (key, value, match_value)
    where i.key <> 'container' or r.mode = 'ocean'
    order by r.n`);
  // Its name differs between builds: the success whose staleness was reported.
  const { rows } = await client.query<{ stale: string }>(
    `select attname as stale from pg_attribute where attrelid = 'landfall.polling'::regclass and attname ~ '^stale_.*_for$'`,
  );
  await client.query(`
    insert into landfall.polling (
      account_id, shipment_id, connector, state, reason, next_refresh_at, epoch, stale_at, attempts, last_refreshed_at, last_succeeded_at,
      last_changed_at, source, ${rows[0]?.stale}
    )
    select r.account_id, r.id, r.connector, s.state, case when s.state = 'awaiting_carrier' then 'carrier_not_found_yet' end,
      case when s.state not in ('completed', 'stopped', 'failed') then now() + r.time_draw * interval '6 hours' end, 3,
      case when s.state = 'active' then now() + (r.time_draw - 0.01) * interval '12 hours' end, 3, r.updated_at,
      case when s.state <> 'awaiting_carrier' then r.updated_at end, r.updated_at, r.connector,
      case when s.state <> 'awaiting_carrier' then r.updated_at end
    from fill_rows as r
    cross join lateral (
      select case
        when r.status in ('delivered', 'returned') then 'completed'
        when r.status = 'cancelled' then 'stopped'
        when r.status = 'failed' or r.late_draw > 0.995 then 'failed'
        when r.status = 'pending' then 'awaiting_carrier'
        when r.late_draw > 0.98 then 'degraded'
        else 'active'
      end as state
    ) as s
    order by r.n`);
  await client.query('drop table fill_rows');
}
