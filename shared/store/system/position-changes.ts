import type { Store } from '../open-store.ts';

/** How many changes got a position, and of which accounts. */
export type Positioned = { count: number; accountIds: string[] };

/**
 * Assigns feed positions to up to `batchSize` committed changes, in the order of `seq`, counted per account, and notifies
 * the streams of all API processes. One call is one transaction on the server. Null: another sequencer is running.
 */
export async function positionWaitingChanges(store: Store, batchSize: number): Promise<Positioned | null> {
  const { rows } = await store.system.query<{ count: number | null; account_ids: string[] | null }>({
    name: 'give-positions',
    text: 'select g.positioned as count, g.account_ids from landfall.give_positions($1) as g',
    values: [batchSize],
  });
  const { count, account_ids: accountIds } = rows[0] ?? { count: null, account_ids: null };
  return count === null || accountIds === null ? null : { count, accountIds };
}
