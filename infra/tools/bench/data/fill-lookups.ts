import type pg from 'pg';
import { templateJourneys } from './template-journeys.ts';
import { lines, ports } from './trade.ts';

/** Pairs of ports. */
export const lanes = 100;

/** Creates the temporary tables that the rows of `fill-database.ts` are drawn from. */
export async function makeLookups(
  client: pg.Client,
  of: { otherAccounts: number; largeAccountId: string },
): Promise<void> {
  await client.query(
    `create temporary table fill_accounts on commit drop as
    select row_number() over () as n, $2::uuid as large_id, $1::int as others, m.id
    from (select uuidv7() as id from generate_series(1, $1::int)) as m`,
    [of.otherAccounts, of.largeAccountId],
  );
  await client.query(`insert into landfall.accounts (id, name) select id, 'other ' || n from fill_accounts`);
  await client.query(`
    create temporary table fill_ports on commit drop as
    select n - 1 as n, p.country || p.code as unlocode, p.country, p.name, jsonb_build_object('name', p.name, 'unlocode', p.country || p.code,
      'country', p.country, 'iata', null, 'lat', null, 'lng', null, 'timezone', null, 'facility', null) as place
    from unnest(
      array[${ports.map(([code]) => `'${code.slice(0, 2)}'`).join(', ')}],
      array[${ports.map(([code]) => `'${code.slice(2)}'`).join(', ')}],
      array[${ports.map(([, name]) => `'${name}'`).join(', ')}]
    ) with ordinality as p (country, code, name, n);
    create temporary table fill_lines on commit drop as
    select * from (values ${lines.map((line) => `(${line.map((part) => `'${part}'`).join(', ')})`).join(', ')})
      as l (mode, carrier, name, connector)`);
  // Stored ready-made, because composing a record for each row would take most of the time.
  await client.query(
    `create temporary table fill_templates on commit drop as
    select t.status, lane.n as lane, e.has_exception, o.unlocode as origin_unlocode, lower(o.name) as origin_name, o.country as origin_country,
      d.unlocode as destination_unlocode, lower(d.name) as destination_name, d.country as destination_country,
      t.record || jsonb_build_object('hasException', e.has_exception)
        || case when t.status = 'pending' then '{}' else jsonb_build_object('origin', o.place, 'destination', d.place) end as record
    from json_to_recordset($1::json) as t (status text, record jsonb)
    cross join (values (false), (true)) as e (has_exception)
    cross join generate_series(0, ${lanes - 1}) as lane (n)
    left join fill_ports as o on o.n = lane.n * 7 % 60 and t.status <> 'pending'
    left join fill_ports as d on d.n = (lane.n * 13 + 5) % 60 and t.status <> 'pending'`,
    [JSON.stringify(templateJourneys())],
  );
  await client.query('analyze fill_accounts, fill_ports, fill_lines, fill_templates');
}
