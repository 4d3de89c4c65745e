import { type History, packHistory, unpackHistory } from '../packing/packed-history.ts';
import { type StoredJourney, unpackJourney } from '../packing/packed-journey.ts';
import { settledLists } from '../packing/settled-lists.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import { deleteHistory, readHistory } from './history-rows.ts';

export type ShipmentKey = { accountId: string; shipmentId: string };

const isDueToSettle = (days: string) =>
  `s.closed_at is not null and s.settled_at is null and greatest(s.closed_at, s.settling_from) <= now() - make_interval(days => ${days})`;

/** Shipments that have been closed for `days`, longest first, at most `limit`. Not locked. */
export async function findToSettle(tx: Tx, options: { days: number; limit: number }): Promise<ShipmentKey[]> {
  const rows = await readRows<{ accountId: string; id: string }>(tx, {
    name: 'find-to-settle',
    text: `
      select s.account_id, s.id
      from landfall.shipments as s
      where ${isDueToSettle('$1')}
      order by greatest(s.closed_at, s.settling_from)
      limit $2`,
    values: [options.days, options.limit],
  });
  return rows.map(({ accountId, id: shipmentId }) => ({ accountId, shipmentId }));
}

/** `kept`: it is locked elsewhere, or no longer due. `postponed`: it is still refreshed, or open to pushes. */
export type Settled = { outcome: 'settled'; bytes: number } | { outcome: 'kept' | 'postponed' };

/** Unpacking stores all original values as one reading, in which `raw_index`, a smallint, counts them. */
const maxEvents = 32_768;

/**
 * Replaces the events, status history, refreshes and the packed journey of a shipment with one packed row. Reads the row
 * back and compares it before it deletes anything. Throws when the two differ.
 */
export async function settleShipment(tx: Tx, { accountId, shipmentId }: ShipmentKey, days: number): Promise<Settled> {
  const [row] = await readRows<{
    followed: boolean;
    record: StoredJourney;
    packedJourney: Buffer | null;
    cadence: History['cadence'];
  }>(tx, {
    name: 'lock-to-settle',
    text: `
      select p.next_refresh_at is not null or coalesce(p.lease_until > now(), false)
        or (p.state not in ('completed', 'stopped', 'failed') and s.archived_at is null) as followed,
        s.record, s.packed_journey, s.cadence
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      where s.account_id = $1 and s.id = $2 and ${isDueToSettle('$3')}
      for no key update of s, p skip locked`,
    values: [accountId, shipmentId, days],
  });
  if (row === undefined) return { outcome: 'kept' };
  if (row.followed) {
    await postponeSettling(tx, { accountId, shipmentId });
    return { outcome: 'postponed' };
  }
  const journey = settledLists(unpackJourney(row.record, row.packedJourney));
  const stored = await readHistory(tx, accountId, shipmentId);
  if (stored.events.length > maxEvents)
    throw new Error(`a history of ${stored.events.length} events is too long to be unpacked again; the rows stay`);
  const history: History = { ...stored, journey, cadence: row.cadence };
  const bytes = await insertPacked(tx, { accountId, shipmentId }, packHistory(history));
  if (JSON.stringify(unpackHistory(bytes)) !== JSON.stringify(history))
    throw new Error('a packed history differs from its rows; the rows stay');
  const gone = await deleteHistory(tx, accountId, shipmentId);
  const isWhole =
    gone.events === history.events.length &&
    gone.statusChanges === history.statusChanges.length &&
    gone.refreshes === history.refreshes.length;
  if (!isWhole) throw new Error('rows were added to a shipment while it was packed; the rows stay');
  await tx.query({
    name: 'mark-settled',
    text: `
      update landfall.shipments
      set settled_at = now(), record = record - '{events,etaHistory}'::text[], packed_journey = null, journey_text = null,
        journey_shape = null, cadence = null
      where account_id = $1 and id = $2`,
    values: [accountId, shipmentId],
  });
  return { outcome: 'settled', bytes: bytes.length };
}

/** Leaves a shipment as rows until it has rested as long as after closing. */
export async function postponeSettling(tx: Tx, { accountId, shipmentId }: ShipmentKey): Promise<void> {
  await tx.query({
    name: 'postpone-settling',
    text: 'update landfall.shipments set settling_from = now() where account_id = $1 and id = $2',
    values: [accountId, shipmentId],
  });
}

async function insertPacked(tx: Tx, { accountId, shipmentId }: ShipmentKey, packed: Buffer): Promise<Buffer> {
  const rows = await readRows<{ packed: Buffer }>(tx, {
    name: 'insert-settled',
    text: 'insert into landfall.settled_shipments (account_id, shipment_id, packed) values ($1, $2, $3) returning packed',
    values: [accountId, shipmentId, packed],
  });
  if (rows[0] === undefined) throw new Error('the database returned no packed history');
  return rows[0].packed;
}

/** Counts beyond this stop, so that reading them stays cheap with millions of shipments. */
const countedUpTo = 10_000;

/**
 * `due` counts up to 10,000; `settled` is counted up to there, and the planner's estimate beyond; `bytes` are of the
 * table with its index.
 */
export type SettlingState = { due: number; settled: number; bytes: number };

export async function readSettlingState(tx: Tx, days: number | null): Promise<SettlingState> {
  const rows = await readRows<SettlingState>(tx, {
    name: 'read-settling-state',
    text: `
      select
        (select count(*)::integer from (
          select from landfall.shipments as s where $1::integer is not null and ${isDueToSettle('$1')} limit ${countedUpTo}
        ) as due) as due,
        case when few.settled < ${countedUpTo} then few.settled else greatest(c.reltuples, few.settled)::float8 end as settled,
        pg_total_relation_size(c.oid)::float8 as bytes
      from pg_class as c
      cross join (
        select count(*)::float8 as settled
        from (select from landfall.settled_shipments limit ${countedUpTo}) as counted
      ) as few
      where c.oid = 'landfall.settled_shipments'::regclass`,
    values: [days],
  });
  return rows[0] ?? { due: 0, settled: 0, bytes: 0 };
}
