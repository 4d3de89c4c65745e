import type { Tx } from './with-account.ts';

/** How many leases account `$1` holds on connector `$3`, counted up to `$5`. */
export const liveLeases = `
        select count(*) as leases
        from (
          select from landfall.polling
          where connector = $3 and account_id = $1 and lease_until > now()
          limit $5
        ) as counted`;

export type FirstClaim = { shipmentId: string; connector: string; leaseS: number; maxLeases: number };

/**
 * Adds the polling row of a new shipment, due at once, at epoch 1. It is leased while the account has fewer than `maxLeases` live leases on
 * this connector; otherwise, and with `maxLeases` 0, it is left to the sweep. True when it is leased.
 */
export async function insertPolling(tx: Tx, accountId: string, claim: FirstClaim): Promise<boolean> {
  const { rows } = await tx.query<{ leased: boolean }>({
    name: 'insert-polling',
    text: `
      insert into landfall.polling (account_id, shipment_id, connector, next_check_at, epoch, lease_until)
      select $1, $2, $3, now(), 1, case when live.leases < $5 then now() + make_interval(secs => $4) end
      from (${liveLeases}) as live
      returning lease_until is not null as leased`,
    values: [accountId, claim.shipmentId, claim.connector, claim.leaseS, claim.maxLeases],
  });
  return rows[0]?.leased === true;
}

/** Gives a lease back, so that the next sweep takes the shipment; a claim that has moved on stays as it is. */
export async function releaseClaim(tx: Tx, accountId: string, claim: { shipmentId: string; epoch: number }): Promise<void> {
  await tx.query({
    name: 'release-claim',
    text: 'update landfall.polling set lease_until = null where account_id = $1 and shipment_id = $2 and epoch = $3',
    values: [accountId, claim.shipmentId, claim.epoch],
  });
}
