import type { Shipment } from '#shared/domain/record/shipment.ts';
import type { RefreshClaim } from '#shared/domain/refresh/refresh.ts';
import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';
import { rowColumns, type StoredShipmentRow, shipmentTables, toShipment } from '../shipments/shipment-row.ts';
import { isLeased } from './polling.ts';

export type ClaimKey = Pick<RefreshClaim, 'shipmentId' | 'epoch'>;

/** A claim whose shipment and polling row are locked. `nowUs`: the transaction's time, in microseconds since 1970. */
export type LockedClaim = { shipment: Shipment; nowUs: number };

/** With `waits` false, what is locked elsewhere is left out. */
type Locking = { claims: readonly ClaimKey[]; waits: boolean };

const isClaimed = `p.epoch = c.epoch and ${isLeased}`;

/**
 * Locks the claims that are still valid, with their shipments, until the transaction ends, and returns them by
 * shipment, without the events and the ETA history of their journeys. A claim in the result can't end before then,
 * because taking it over needs the lock (fencing). One that isn't in the result is over, or locked elsewhere. A
 * settled shipment has none: its events are packed.
 */
export async function lockClaims(
  tx: Tx,
  accountId: string,
  { claims, waits }: Locking,
): Promise<Map<string, LockedClaim>> {
  if (claims.length === 0) return new Map();
  const rows = await readRows<StoredShipmentRow & { nowUs: number }>(tx, {
    name: waits ? 'lock-claims' : 'lock-free-claims',
    text: `
      select ${rowColumns}, (extract(epoch from now()) * 1000000)::bigint as now_us
      from ${shipmentTables}
      join json_to_recordset($2::json) as c ("shipmentId" uuid, epoch bigint)
        on p.shipment_id = c."shipmentId"
      where s.account_id = $1 and s.id = any ($3::uuid[]) and s.settled_at is null and ${isClaimed}
      order by s.id
      for no key update of s, p${waits ? '' : ' skip locked'}`,
    values: valuesOf(accountId, claims),
  });
  return new Map(rows.map((row) => [row.id, { shipment: toShipment(row), nowUs: row.nowUs }]));
}

/** The same without the shipments, for refreshes that change nothing but their own record. */
export async function lockClaimsAlone(tx: Tx, accountId: string, { claims, waits }: Locking): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  const rows = await readRows<{ shipmentId: string }>(tx, {
    name: waits ? 'lock-claims-alone' : 'lock-free-claims-alone',
    text: `
      select p.shipment_id
      from landfall.polling as p
      join json_to_recordset($2::json) as c ("shipmentId" uuid, epoch bigint) on p.shipment_id = c."shipmentId"
      where p.account_id = $1 and p.shipment_id = any ($3::uuid[]) and ${isClaimed}
      order by p.shipment_id
      for no key update of p${waits ? '' : ' skip locked'}`,
    values: valuesOf(accountId, claims),
  });
  return new Set(rows.map((row) => row.shipmentId));
}

/** The claims that are still valid, by shipment, whether they are locked or not. */
export async function findValidClaims(
  tx: Tx,
  accountId: string,
  claims: readonly ClaimKey[],
): Promise<ReadonlySet<string>> {
  if (claims.length === 0) return new Set();
  const rows = await readRows<{ shipmentId: string }>(tx, {
    name: 'find-valid-claims',
    text: `
      select p.shipment_id
      from landfall.polling as p
      join json_to_recordset($2::json) as c ("shipmentId" uuid, epoch bigint) on p.shipment_id = c."shipmentId"
      where p.account_id = $1 and p.shipment_id = any ($3::uuid[]) and ${isClaimed}`,
    values: valuesOf(accountId, claims),
  });
  return new Set(rows.map((row) => row.shipmentId));
}

function valuesOf(accountId: string, claims: readonly ClaimKey[]): [string, string, string[]] {
  return [accountId, JSON.stringify(claims), claims.map(({ shipmentId }) => shipmentId)];
}
