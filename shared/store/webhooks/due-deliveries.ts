import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

type EndpointKey = { accountId: string; endpointId: string };

/**
 * Due deliveries of an endpoint that an earlier one of their shipment holds back wait as long as that one. Otherwise the
 * endpoint would have work all the time without any that it can do. Returns their number, at most `limit`.
 */
export async function holdBackDue(
  tx: Tx,
  { accountId, endpointId }: EndpointKey,
  { limit }: { limit: number },
): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'hold-back-due-webhook-deliveries',
    text: `
      with blocked as (
        select d.id, first.next_try_at
        from landfall.webhook_deliveries as d
        cross join lateral (
          select b.sequence, b.next_try_at from landfall.webhook_deliveries as b
          where b.account_id = $1 and b.shipment_id = d.shipment_id and b.endpoint_id = $2 and b.state = 'waiting'
          order by b.sequence
          limit 1
        ) as first
        where d.account_id = $1 and d.endpoint_id = $2 and d.state = 'waiting' and d.next_try_at <= now()
          and first.sequence < d.sequence and first.next_try_at > now()
        order by d.next_try_at
        limit $3
      )
      update landfall.webhook_deliveries as d set next_try_at = b.next_try_at
      from blocked as b
      where d.account_id = $1 and d.endpoint_id = $2 and d.id = b.id and d.state = 'waiting'`,
    values: [accountId, endpointId, limit],
  });
  return rowCount ?? 0;
}

/** A waiting delivery whose next try is due. */
export type DueDelivery = {
  sequence: number;
  changeId: string;
  shipmentId: string | null;
  type: string;
  tries: number;
};

/**
 * Due deliveries of an endpoint, those that are due longest first, at most `limit`. `inOrder`: of each shipment only the
 * first one that is waiting.
 */
export async function readDueDeliveries(
  tx: Tx,
  { accountId, endpointId }: EndpointKey,
  { limit, inOrder }: { limit: number; inOrder: boolean },
): Promise<DueDelivery[]> {
  const isFirst = `
        and not exists (
          select from landfall.webhook_deliveries as b
          where b.account_id = $1 and b.shipment_id = d.shipment_id and b.endpoint_id = $2 and b.state = 'waiting' and b.sequence < d.sequence
        )`;
  return readRows<DueDelivery>(tx, {
    name: inOrder ? 'read-due-webhook-deliveries-in-order' : 'read-due-webhook-deliveries',
    text: `
      select d.sequence, d.change_id, d.shipment_id, d.type, d.tries
      from landfall.webhook_deliveries as d
      where d.account_id = $1 and d.endpoint_id = $2 and d.state = 'waiting' and d.next_try_at <= now() ${inOrder ? isFirst : ''}
      order by d.next_try_at, d.sequence
      limit $3`,
    values: [accountId, endpointId, limit],
  });
}

/** Of these shipments, those with a waiting delivery, and the milliseconds until the next try of the last of them. */
export async function readHeldShipments(
  tx: Tx,
  { accountId, endpointId }: EndpointKey,
  shipmentIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await readRows<{ shipmentId: string; waitMs: number }>(tx, {
    name: 'read-held-webhook-shipments',
    text: `
      select d.shipment_id, greatest(0, extract(epoch from max(d.next_try_at) - now())::float8 * 1000) as wait_ms
      from landfall.webhook_deliveries as d
      where d.account_id = $1 and d.shipment_id = any ($3::uuid[]) and d.endpoint_id = $2 and d.state = 'waiting'
      group by d.shipment_id`,
    values: [accountId, endpointId, shipmentIds],
  });
  return new Map(rows.map((row) => [row.shipmentId, row.waitMs]));
}
