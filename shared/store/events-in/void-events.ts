import type { Tx } from '../with-account.ts';

/** Voids an event of a locked shipment. Its row stays. */
export async function markVoided(
  tx: Tx,
  accountId: string,
  { shipmentId, eventId }: { shipmentId: string; eventId: string },
): Promise<void> {
  await tx.query({
    name: 'void-event',
    text: `
      update landfall.events
      set voided_at = now()
      where account_id = $1 and shipment_id = $2 and id = $3 and voided_at is null`,
    values: [accountId, shipmentId, eventId],
  });
}
