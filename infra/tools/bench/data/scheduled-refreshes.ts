import pg from 'pg';
import { composeJourney } from '#shared/domain/journey/journey.ts';

/** Shipments scheduled for another day, plus some that are due now, spread over their accounts. */
export type ScheduledRefreshes = {
  /** Makes the same shipments due again, whatever their state. */
  makeDue: () => Promise<void>;
  close: () => Promise<void>;
};

export type ScheduledRefreshesOptions = { planned: number; accounts: number; due: number };

const batchSize = 500_000;

/**
 * Fills a migrated, empty database. Shipments scheduled for another day are rows of `polling` only: finding and
 * claiming due shipments reads nothing else of them, and five million rows take only minutes. Needs a superuser because
 * the shipments that they reference don't exist.
 */
export async function planSweep(
  databaseUrl: string,
  { planned, accounts, due }: ScheduledRefreshesOptions,
): Promise<ScheduledRefreshes> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // The database may be dropped while this connection is still open.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(
    `set synchronous_commit = off; insert into landfall.accounts (name) select 'bench ' || n from generate_series(1, ${accounts}) as n`,
  );
  await client.query(
    `with made as (
      insert into landfall.shipments (account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, record, search_text)
      select a.id, false, 'ocean', 'XXXX', 'Bench Line', 'dcsa', jsonb_build_object('mbl', 'BENCH' || a.n), $2::jsonb, 'bench' || a.n
      from generate_series(1, $1::int) as d
      join (select id, row_number() over (order by id) as n from landfall.accounts) as a on a.n = 1 + d % $3::int
      returning account_id, id
    )
    insert into landfall.polling (account_id, shipment_id, connector, next_refresh_at) select account_id, id, 'dcsa', now() + interval '1 day' from made`,
    [due, JSON.stringify(composeJourney({ events: [], transportMode: 'ocean' }, 0)), accounts],
  );
  const { rows } = await client.query<{ shipment_id: string }>('select shipment_id from landfall.polling');
  await client.query('set session_replication_role = replica');
  for (let made = 0; made < planned; made += batchSize) {
    await client.query(
      `insert into landfall.polling (account_id, shipment_id, connector, next_refresh_at)
      select a.id, gen_random_uuid(), 'dcsa', now() + (1 + random()) * interval '1 day'
      from generate_series(1, $1::int) as p
      join (select id, row_number() over (order by id) as n from landfall.accounts) as a on a.n = 1 + p % $2::int`,
      [Math.min(batchSize, planned - made), accounts],
    );
  }
  await client.query('set session_replication_role = origin');
  await client.query('vacuum analyze landfall.polling, landfall.shipments, landfall.accounts');
  return {
    makeDue: async () => {
      await client.query(
        'update landfall.polling set next_refresh_at = now(), lease_until = null where shipment_id = any($1)',
        [rows.map(({ shipment_id }) => shipment_id)],
      );
    },
    close: () => client.end(),
  };
}
