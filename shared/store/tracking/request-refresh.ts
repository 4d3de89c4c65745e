import { liveLeases } from '../registration/first-claim.ts';
import type { Tx } from '../with-account.ts';

/**
 * Why a refresh is due at once. `refresh`: the client asks for one; the state stays, and the moment is kept. `restore`: an archived shipment is
 * followed again. `restart`: tracking that had ended, or had another carrier, begins anew. `advance`: a test journey moved on.
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
  // A test shipment has a new answer: the failures of the one before are over.
  advance: 'consecutive_failures = 0',
  // What is known is as old as the last success: stale until the next one.
  restart: `state = 'queued', reason = null, consecutive_failures = 0, tracking_since = now(),
        stale_at = case when last_succeeded_at is not null then now() end`,
};

/**
 * Makes a shipment due at once under a new epoch, so that a refresh that is under way is refused. It is leased to the caller while the account
 * has fewer than `maxLeases` live leases on this connector, and otherwise left to the sweep. Gives the epoch when leased, else null.
 */
export async function requestRefreshNow(tx: Tx, accountId: string, refresh: RequestRefresh): Promise<number | null> {
  const { rows } = await tx.query<{ epoch: number; leased: boolean }>({
    name: `look-now-${refresh.why}`,
    text: `
      update landfall.polling as p
      set ${settings[refresh.why]}, next_refresh_at = now(), epoch = p.epoch + 1,
        lease_until = case when live.leases < $5 then now() + make_interval(secs => $4) end
      from (${liveLeases}) as live
      where p.account_id = $1 and p.shipment_id = $2
      returning p.epoch, p.lease_until is not null as leased`,
    values: [accountId, refresh.shipmentId, refresh.connector, refresh.leaseS, refresh.maxLeases],
  });
  const [row] = rows;
  return row?.leased === true ? Number(row.epoch) : null;
}
