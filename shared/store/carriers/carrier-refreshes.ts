import type { CarrierRefreshes } from '#shared/domain/carriers/carrier-health.ts';
import type { Tx } from '../with-account.ts';

type RefreshesRow = {
  carrier: string;
  answered: number;
  failed: number;
  failed_since: number;
  last_answered_at: Date | null;
  last_failed_at: Date | null;
  waiting: number;
};

/** Enough rows to assess a carrier, and readable in a few milliseconds regardless of the account's size. */
const newestRefreshes = 2000;

/**
 * The results of each carrier for this account in the last two days, by carrier code, based on the newest refreshes.
 * Ids are ordered by time, so the primary key finds them. Refreshes that failed before the carrier was called don't
 * count.
 */
export async function readCarrierRefreshes(
  tx: Tx,
  accountId: string,
  options: { test: boolean },
): Promise<Map<string, CarrierRefreshes>> {
  const { rows } = await tx.query<RefreshesRow>({
    name: 'read-carrier-refreshes',
    text: `
      with newest as (
        select id, shipment_id, outcome, last_at
        from landfall.refreshes
        where account_id = $1
          and reason is distinct from 'credentials_missing' and reason is distinct from 'carrier_not_supported'
          and reason is distinct from 'internal_error' and reason is distinct from 'invalid_identifier'
        order by id desc
        limit ${newestRefreshes}
      ),
      seen as (
        select s.carrier, n.outcome, n.last_at,
          max(n.last_at) filter (where n.outcome <> 'error') over (partition by s.carrier) as answered_at,
          n.last_at = max(n.last_at) over (partition by n.shipment_id) as is_last_of_shipment
        from newest as n
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
  return new Map(
    rows.map((row) => [
      row.carrier,
      {
        answered: row.answered,
        failed: row.failed,
        failedSince: row.failed_since,
        lastAnsweredAt: row.last_answered_at?.toISOString() ?? null,
        lastFailedAt: row.last_failed_at?.toISOString() ?? null,
        waiting: row.waiting,
      },
    ]),
  );
}
