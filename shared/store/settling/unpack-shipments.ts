import { type History, unpackHistory } from '../packing/packed-history.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import { insertHistory } from './history-rows.ts';

/**
 * Turns settled shipments that this transaction has locked back into rows, so that it can add to them. They settle
 * again once they have rested as long as after closing. Call it with the rows that the lock returned. A refresh never
 * meets a settled shipment: one that is due or leased doesn't settle, and making one due locks it.
 */
export async function unpackLocked(
  tx: Tx,
  accountId: string,
  locked: readonly { id: string; settled: boolean }[],
): Promise<void> {
  const ids = locked.filter(({ settled }) => settled).map(({ id }) => id);
  if (ids.length === 0) return;
  const rows = await readRows<{ shipmentId: string; packed: Buffer }>(tx, {
    name: 'take-settled',
    text: `
      delete from landfall.settled_shipments
      where account_id = $1 and shipment_id = any ($2::uuid[])
      returning shipment_id, packed`,
    values: [accountId, ids],
  });
  if (rows.length !== ids.length) throw new Error('a settled shipment has no packed history');
  for (const { shipmentId, packed } of rows) {
    const history = unpackHistory(packed);
    await insertHistory(tx, accountId, { shipmentId, history });
    await restoreJourney(tx, accountId, { shipmentId, history });
  }
}

/** The journey is whole in `record` until a change packs it. One that was composed since settling stays. */
async function restoreJourney(
  tx: Tx,
  accountId: string,
  { shipmentId, history }: { shipmentId: string; history: History },
): Promise<void> {
  await tx.query({
    name: 'restore-journey',
    text: `
      update landfall.shipments
      set settled_at = null, settling_from = now(), cadence = coalesce(cadence, $4::jsonb),
        record = case when packed_journey is null then $3::jsonb || record else record end
      where account_id = $1 and id = $2`,
    values: [
      accountId,
      shipmentId,
      JSON.stringify(history.journey),
      history.cadence && JSON.stringify(history.cadence),
    ],
  });
}
