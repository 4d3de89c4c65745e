import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Counts the advances of a test shipment. Lock its polling row first. */
export async function readTestSteps(tx: Tx, accountId: string, shipmentId: string): Promise<number> {
  const rows = await readRows<{ testSteps: number | null }>(tx, {
    name: 'read-test-steps',
    text: 'select test_steps from landfall.polling where account_id = $1 and shipment_id = $2',
    values: [accountId, shipmentId],
  });
  return rows[0]?.testSteps ?? 0;
}

export async function writeTestSteps(
  tx: Tx,
  accountId: string,
  change: { shipmentId: string; steps: number },
): Promise<void> {
  await tx.query({
    name: 'write-test-steps',
    text: 'update landfall.polling set test_steps = $3 where account_id = $1 and shipment_id = $2',
    values: [accountId, change.shipmentId, change.steps],
  });
}
