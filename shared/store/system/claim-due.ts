import type { RefreshClaim } from '#shared/domain/refresh.ts';
import type { Tx } from '../open-store.ts';

/**
 * Claims up to `limit` due shipments of one connector: adds one to the epoch and leases them for `leaseS` seconds, by Postgres's clock.
 * Round-robin over the accounts with due work: each account's oldest first, then each one's second oldest, so that an account
 * with a million due rows delays nobody. An expired lease is due again.
 */
export async function claimDue(tx: Tx, connector: string, options: { limit: number; leaseS: number }): Promise<RefreshClaim[]> {
  const result = await tx.query<{ account_id: string; shipment_id: string; epoch: number }>({
    name: 'claim-due',
    text: `
      with recursive accounts_with_work as (
        (
          select account_id from landfall.polling
          where connector = $1 and next_check_at is not null
          order by account_id
          limit 1
        )
        union all
        select (
          select p.account_id from landfall.polling as p
          where p.connector = $1 and p.next_check_at is not null and p.account_id > a.account_id
          order by p.account_id
          limit 1
        )
        from accounts_with_work as a
        where a.account_id is not null
      ),
      due as (
        select d.account_id, d.shipment_id
        from accounts_with_work as a
        cross join lateral (
          select p.account_id, p.shipment_id, p.next_check_at, row_number() over (order by p.next_check_at) as turn
          from landfall.polling as p
          where p.connector = $1 and p.account_id = a.account_id and p.next_check_at <= now()
            and (p.lease_until is null or p.lease_until <= now())
          order by p.next_check_at
          limit $2
        ) as d
        where a.account_id is not null
        order by d.turn, d.next_check_at
        limit $2
      ),
      locked as (
        select p.account_id, p.shipment_id
        from landfall.polling as p
        join due using (account_id, shipment_id)
        where p.next_check_at <= now() and (p.lease_until is null or p.lease_until <= now())
        for update of p skip locked
      )
      update landfall.polling as p
      set epoch = p.epoch + 1, lease_until = now() + make_interval(secs => $3)
      from locked
      where p.account_id = locked.account_id and p.shipment_id = locked.shipment_id
      returning p.account_id, p.shipment_id, p.epoch`,
    values: [connector, options.limit, options.leaseS],
  });
  return result.rows.map((row) => ({ accountId: row.account_id, shipmentId: row.shipment_id, epoch: row.epoch }));
}

/** Gives claims back at once, so that the next sweep takes them again; claims that somebody else has meanwhile taken stay as they are. */
export async function releaseClaims(tx: Tx, claims: RefreshClaim[]): Promise<void> {
  await tx.query({
    name: 'release-claims',
    text: `
      update landfall.polling as p
      set lease_until = null
      from json_to_recordset($1::json) as c ("accountId" uuid, "shipmentId" uuid, epoch bigint)
      where p.account_id = c."accountId" and p.shipment_id = c."shipmentId" and p.epoch = c.epoch`,
    values: [JSON.stringify(claims)],
  });
}
