import type { Tx } from '../with-account.ts';

/** How many leases account `$1` holds on connector `$3`, counted up to `$5`. */
export const liveLeases = `
        select count(*) as leases
        from (
          select from landfall.polling
          where connector = $3 and account_id = $1 and lease_until > now()
          limit $5
        ) as counted`;

/** Releases leases, so that the next sweep takes the shipments. A claim whose epoch has moved on stays as it is. */
export async function releaseClaims(
  tx: Tx,
  accountId: string,
  claims: readonly { shipmentId: string; epoch: number }[],
): Promise<void> {
  await tx.query({
    name: 'release-first-claims',
    text: `
      update landfall.polling as p
      set lease_until = null
      from json_to_recordset($2::json) as c ("shipmentId" uuid, epoch bigint)
      where p.account_id = $1 and p.shipment_id = c."shipmentId" and p.epoch = c.epoch`,
    values: [accountId, JSON.stringify(claims)],
  });
}
