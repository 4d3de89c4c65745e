import type { CarrierRefreshes } from '#shared/domain/carriers/carrier-health.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

type RefreshesRow = {
  carrier: string;
  answered: number;
  failed: number;
  failedSince: number;
  lastAnsweredAt: string | null;
  lastFailedAt: string | null;
  waiting: number;
};

/** Enough rows to assess a carrier, and readable in a few milliseconds regardless of the account's size. */
const newestRefreshes = 2000;
/** Of each carrier, this many of its newest shipments are looked up, and this many polled ones of them count. */
const newestShipments = 200;
const sampledShipments = 20;

const wasAsked = `
            reason is distinct from 'credentials_missing' and reason is distinct from 'carrier_not_supported'
            and reason is distinct from 'internal_error' and reason is distinct from 'invalid_identifier'`;

/**
 * The results of each carrier for this account in the last two days, by carrier code, based on the newest refreshes.
 * Ids are ordered by time, so the primary key finds them. A long run of unchanged refreshes is one old row, which newer
 * rows of other carriers push out: the last row of some shipments of each carrier is added. Refreshes that failed
 * before the carrier was called don't count.
 */
export async function readCarrierRefreshes(
  tx: Tx,
  accountId: string,
  options: { test: boolean },
): Promise<Map<string, CarrierRefreshes>> {
  const rows = await readRows<RefreshesRow>(tx, {
    name: 'read-carrier-refreshes',
    text: `
      with recursive newest as (
        select id, shipment_id, outcome, last_at
        from landfall.refreshes
        where account_id = $1 and ${wasAsked}
        order by id desc
        limit ${newestRefreshes}
      ),
      -- Each carrier in use costs one lookup in the index.
      carriers as (
        (select carrier from landfall.shipments where account_id = $1 and test = $2 order by carrier limit 1)
        union all
        select (
          select s.carrier from landfall.shipments as s
          where s.account_id = $1 and s.test = $2 and s.carrier > c.carrier
          order by s.carrier
          limit 1
        )
        from carriers as c
        where c.carrier is not null
      ),
      sampled as (
        select last.id, last.shipment_id, last.outcome, last.last_at
        from carriers as c
        cross join lateral (
          select own.id
          from (
            select id from landfall.shipments
            where account_id = $1 and test = $2 and carrier = c.carrier
            order by created_at desc, id desc
            limit ${newestShipments}
          ) as own
          join landfall.polling as p on p.account_id = $1 and p.shipment_id = own.id
          where p.last_refreshed_at > now() - interval '2 days'
          limit ${sampledShipments}
        ) as polled
        cross join lateral (
          select id, shipment_id, outcome, last_at
          from landfall.refreshes
          where account_id = $1 and shipment_id = polled.id and ${wasAsked}
          order by id desc
          limit 1
        ) as last
      ),
      known as (
        select id, shipment_id, outcome, last_at from newest
        union
        select id, shipment_id, outcome, last_at from sampled
      ),
      seen as (
        select s.carrier, n.outcome, n.last_at,
          max(n.last_at) filter (where n.outcome <> 'error') over (partition by s.carrier) as answered_at,
          n.last_at = max(n.last_at) over (partition by n.shipment_id) as is_last_of_shipment
        from known as n
        join landfall.shipments as s on s.account_id = $1 and s.id = n.shipment_id
        where s.test = $2 and n.last_at > now() - interval '2 days'
      )
      select carrier,
        (count(*) filter (where outcome <> 'error'))::integer as answered,
        (count(*) filter (where outcome = 'error'))::integer as failed,
        (count(*) filter (where outcome = 'error' and last_at > coalesce(answered_at, '-infinity')))::integer as failed_since,
        max(last_at) filter (where outcome <> 'error') as last_answered_at,
        max(last_at) filter (where outcome = 'error') as last_failed_at,
        (count(*) filter (where is_last_of_shipment and outcome in ('error', 'not_found')))::integer as waiting
      from seen
      group by carrier`,
    values: [accountId, options.test],
  });
  return new Map(rows.map(({ carrier, ...answers }) => [carrier, answers]));
}
