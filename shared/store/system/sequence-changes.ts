import type { Store } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

/** Number of changes that got a sequence, and their accounts. */
export type Sequenced = { count: number; accountIds: string[] };

/**
 * Assigns feed sequences to up to `batchSize` committed changes, in the order of `write_order`, counted per account, and notifies
 * the streams of all API processes. One call is one transaction on the server. Null: another sequencer is running.
 */
export async function sequenceWaitingChanges(store: Store, batchSize: number): Promise<Sequenced | null> {
  const rows = await readRows<{ count: number | null; accountIds: string[] | null }>(store.system, {
    name: 'give-sequences',
    text: 'select g.sequenced as count, g.account_ids from landfall.give_sequences($1) as g',
    values: [batchSize],
  });
  const { count, accountIds } = rows[0] ?? { count: null, accountIds: null };
  return count === null || accountIds === null ? null : { count, accountIds };
}
