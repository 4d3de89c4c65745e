import type { Tx } from '../with-account.ts';

/** Voids what the client said about a cancellation; true when there was something to void. */
export async function voidClientCancellation(tx: Tx, accountId: string, shipmentId: string): Promise<boolean> {
  const result = await tx.query({
    name: 'void-client-cancellation',
    text: `
      update landfall.events
      set voided_at = now()
      where account_id = $1 and shipment_id = $2 and source = 'client' and code = 'cancelled' and voided_at is null`,
    values: [accountId, shipmentId],
  });
  return (result.rowCount ?? 0) > 0;
}
