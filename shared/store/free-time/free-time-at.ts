import type { Tx } from '../with-account.ts';

/** Has the free time of a locked shipment assessed soon, because tracking goes on. */
export async function makeFreeTimeDue(tx: Tx, accountId: string, shipmentId: string): Promise<void> {
  await tx.query({
    name: 'make-free-time-due',
    text: `
      update landfall.shipments set free_time_at = now()
      where account_id = $1 and id = $2 and free_time_states <> '{}' and settled_at is null`,
    values: [accountId, shipmentId],
  });
}

/** Leaves the free time of a shipment that can't be assessed for a day. */
export async function postponeFreeTime(tx: Tx, accountId: string, shipmentId: string): Promise<void> {
  await tx.query({
    name: 'postpone-free-time',
    text: `update landfall.shipments set free_time_at = now() + interval '1 day' where account_id = $1 and id = $2`,
    values: [accountId, shipmentId],
  });
}
