import type { Tx } from '../../open-store.ts';
import { readRows } from '../../read-rows.ts';

/** Age in seconds of the oldest waiting item of each kind. Null when there is none. */
export type WaitingRow = {
  dueOldestAgeS: number | null;
  dueCount: number;
  unsequencedAgeS: number | null;
  deliveryAgeS: number | null;
};

/** Higher counts would add no information. */
const maxCounted = 10_000;
const readTimeoutMs = 1500;

/**
 * The backlog of the workers: due shipments without a lease (counted up to 10,000), changes without a feed sequence,
 * and carrier deliveries. Each part reads an index from its oldest end. Times out after one and a half seconds.
 */
export async function readWaitingWork(tx: Tx, connectors: readonly string[]): Promise<WaitingRow> {
  await tx.query(`set local statement_timeout = ${readTimeoutMs}`);
  const rows = await readRows<WaitingRow>(tx, {
    name: 'read-waiting-work',
    text: `
      with recursive due as materialized (
        select p.next_refresh_at
        from unnest($1::text[]) as c (connector)
        cross join lateral (
          select next_refresh_at from landfall.polling
          where connector = c.connector and next_refresh_at <= now() and (lease_until is null or lease_until <= now())
          order by next_refresh_at
          limit ${maxCounted}
        ) as p
        limit ${maxCounted}
      ),
      oldest_due as (
        select min(p.next_refresh_at) as at
        from unnest($1::text[]) as c (connector)
        cross join lateral (
          select next_refresh_at from landfall.polling
          where connector = c.connector and next_refresh_at <= now() and (lease_until is null or lease_until <= now())
          order by next_refresh_at
          limit 1
        ) as p
      ),
      accounts_with_deliveries as (
        (select account_id from landfall.carrier_deliveries where state = 'received' order by account_id limit 1)
        union all
        select (
          select d.account_id from landfall.carrier_deliveries as d
          where d.state = 'received' and d.account_id > a.account_id
          order by d.account_id
          limit 1
        )
        from accounts_with_deliveries as a
        where a.account_id is not null
      ),
      oldest_delivery as (
        select min(d.received_at) as at
        from accounts_with_deliveries as a
        cross join lateral (
          select received_at from landfall.carrier_deliveries
          where account_id = a.account_id and state = 'received'
          order by id
          limit 1
        ) as d
      ),
      unsequenced as (
        select created_at as at from landfall.changes where sequence is null order by write_order limit 1
      )
      select
        (select extract(epoch from now() - at)::float8 from oldest_due) as "dueOldestAgeS",
        (select count(*)::integer from due) as "dueCount",
        (select extract(epoch from now() - at)::float8 from unsequenced) as "unsequencedAgeS",
        (select extract(epoch from now() - at)::float8 from oldest_delivery) as "deliveryAgeS"`,
    values: [connectors],
  });
  return rows[0] ?? { dueOldestAgeS: null, dueCount: 0, unsequencedAgeS: null, deliveryAgeS: null };
}
