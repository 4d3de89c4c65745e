import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/**
 * Counts the pending work of endpoints, by id: changes after their sequence, and deliveries to be tried again, each up
 * to `max`.
 */
export async function readBacklogs(
  tx: Tx,
  accountId: string,
  { test, ids, max }: { test: boolean; ids: readonly string[]; max: number },
): Promise<Map<string, { changes: number; waiting: number }>> {
  const rows = await readRows<{ endpointId: string; changes: number; waiting: number }>(tx, {
    name: 'read-webhook-backlogs',
    text: `
      select c.endpoint_id,
        (
          select count(*) from (
            select from landfall.changes as f
            where f.account_id = $1 and f.test = $2 and f.sequence > c.sequence
            limit $4
          ) as later
        ) as changes,
        (
          select count(*) from (
            select from landfall.webhook_deliveries as d
            where d.account_id = $1 and d.endpoint_id = c.endpoint_id and d.state = 'waiting'
            limit $4
          ) as waiting
        ) as waiting
      from landfall.webhook_cursors as c
      where c.account_id = $1 and c.endpoint_id = any ($3::uuid[])`,
    values: [accountId, test, ids, max],
  });
  return new Map(rows.map(({ endpointId, changes, waiting }) => [endpointId, { changes, waiting }]));
}
