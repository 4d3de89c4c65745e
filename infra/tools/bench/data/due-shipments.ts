import pg from 'pg';
import { composeJourney } from '#shared/domain/journey/journey.ts';

/** Shipments of one account with the `dcsa` connector, and the progress of their refreshes. */
export type DueShipments = {
  accountId: string;
  ids: () => Promise<{ accountId: string; shipmentId: string }[]>;
  /** Makes all of them due now. Returns when, by the database's clock. */
  makeDue: () => Promise<Date>;
  /**
   * Waits until each was refreshed since then. Returns the median and 99th percentile of the delay after they became
   * due.
   */
  untilRefreshed: (since: Date) => Promise<{ p50Ms: number; p99Ms: number }>;
  /** Refreshes since then, by outcome. */
  outcomes: (since: Date) => Promise<Record<string, number>>;
  close: () => Promise<void>;
};

const pollMs = 20;
const timeoutPerShipmentMs = 50;
const minTimeoutMs = 300_000;

/** Adds the shipments. None is due before `makeDue`. */
export async function addDueShipments(databaseUrl: string, count: number): Promise<DueShipments> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // The database may be dropped while this connection is still open.
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    `insert into landfall.accounts (name) values ('bench ' || gen_random_uuid()) returning id`,
  );
  const accountId = rows[0]?.id ?? '';
  const journey = JSON.stringify(composeJourney({ events: [], transportMode: 'ocean' }, 0));
  await client.query(
    `insert into landfall.shipments (account_id, test, transport_mode, carrier, carrier_name, connector, identifiers, record, search_text)
    select $1, false, 'ocean', 'XXXX', 'Bench Line', 'dcsa', jsonb_build_object('mbl', 'BENCH' || n), $3::jsonb, 'bench' || n
    from generate_series(1, $2::int) as n`,
    [accountId, count, journey],
  );
  await client.query(
    `insert into landfall.polling (account_id, shipment_id, connector, next_refresh_at)
    select account_id, id, 'dcsa', now() + interval '1 day' from landfall.shipments where account_id = $1`,
    [accountId],
  );
  await client.query('vacuum analyze landfall.shipments, landfall.polling');
  return {
    accountId,
    ids: async () =>
      (
        await client.query<{ accountId: string; shipmentId: string }>(
          'select account_id as "accountId", shipment_id as "shipmentId" from landfall.polling where account_id = $1',
          [accountId],
        )
      ).rows,
    makeDue: async () => {
      const due = await client.query<{ at: Date }>(
        'with due as (update landfall.polling set next_refresh_at = now() where account_id = $1) select now() as at',
        [accountId],
      );
      return due.rows[0]?.at ?? new Date();
    },
    untilRefreshed: async (since) => {
      const deadline = performance.now() + minTimeoutMs + count * timeoutPerShipmentMs;
      const left = async () => {
        const open = await client.query<{ open: boolean }>(
          'select exists (select from landfall.polling where account_id = $1 and coalesce(last_refreshed_at < $2, true)) as open',
          [accountId, since],
        );
        return open.rows[0]?.open !== false;
      };
      while (await left()) {
        if (performance.now() > deadline) throw new Error('the shipments were not refreshed in time');
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
      const { rows: waits } = await client.query<{ p50: number; p99: number }>(
        `select percentile_cont(0.5) within group (order by wait_ms) as p50, percentile_cont(0.99) within group (order by wait_ms) as p99
        from (
          select extract(epoch from last_refreshed_at - $2)::float8 * 1000 as wait_ms from landfall.polling where account_id = $1
        ) as waits`,
        [accountId, since],
      );
      return { p50Ms: waits[0]?.p50 ?? 0, p99Ms: waits[0]?.p99 ?? 0 };
    },
    outcomes: async (since) => {
      const refreshed = await client.query<{ outcome: string; refreshes: number }>(
        'select outcome, count(*)::integer as refreshes from landfall.refreshes where account_id = $1 and last_at >= $2 group by 1',
        [accountId, since],
      );
      return Object.fromEntries(refreshed.rows.map(({ outcome, refreshes }) => [outcome, refreshes]));
    },
    close: () => client.end(),
  };
}
