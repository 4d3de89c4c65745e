import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/**
 * Reason for an immediate refresh. `refresh`: the client requests one; the state stays, and the time is recorded.
 * `restore`: an archived shipment is tracked again. `restart`: tracking that had ended, or had another carrier, starts
 * again. `advance`: a test journey advanced.
 */
export type RequestReason = 'refresh' | 'restore' | 'restart' | 'advance';

export type RequestRefresh = {
  shipmentId: string;
  connector: string;
  leaseS: number;
  maxLeases: number;
  why: RequestReason;
};

const settings: Record<RequestReason, string> = {
  refresh: 'requested_at = now()',
  restore: 'tracking_since = now()',
  // A test shipment has a new result, so earlier failures no longer apply.
  advance: 'consecutive_failures = 0',
  // The data is as old as the last success: stale until the next one.
  restart: `state = 'queued', reason = null, consecutive_failures = 0, tracking_since = now(),
        stale_at = case when last_succeeded_at is not null then now() end`,
};

/**
 * Makes a shipment due immediately under a new epoch, which rejects a refresh in progress. The caller gets the lease
 * while the account has fewer than `maxLeases` hurried refreshes on this connector; otherwise the sweep claims the
 * shipment.
 * Returns the epoch when leased, or null.
 */
export async function requestRefreshNow(tx: Tx, accountId: string, refresh: RequestRefresh): Promise<number | null> {
  const [row] = await readRows<{ epoch: number; leased: boolean }>(tx, {
    name: `request-refresh-${refresh.why}`,
    text: `
      update landfall.polling as p
      set ${settings[refresh.why]}, next_refresh_at = now(), epoch = p.epoch + 1,
        lease_until = case when others.hurried < $5 then now() + make_interval(secs => $4) end, hurried = others.hurried < $5
      from (${otherHurried}) as others
      where p.account_id = $1 and p.shipment_id = $2
      returning p.epoch, p.lease_until is not null as leased`,
    values: [accountId, refresh.shipmentId, refresh.connector, refresh.leaseS, refresh.maxLeases],
  });
  return row?.leased === true ? Number(row.epoch) : null;
}

/** Counts the other hurried refreshes of account `$1` on connector `$3`, up to `$5`. */
const otherHurried = `
        select count(*) as hurried
        from (
          select from landfall.polling
          where connector = $3 and account_id = $1 and hurried and shipment_id <> $2
          limit $5
        ) as counted`;

/** Releases leases, so that the next sweep claims the shipments. A claim with a newer epoch stays unchanged. */
export async function releaseFirstClaims(
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
