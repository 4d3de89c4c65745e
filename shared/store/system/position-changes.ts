import type { Store } from '../open-store.ts';

/**
 * Assigns feed positions to up to `batchSize` committed changes, in the order of `seq`, counted
 * per account. One call is one transaction on
 * the server. Returns their number, or null when another sequencer is running.
 */
export async function positionWaitingChanges(store: Store, batchSize: number): Promise<number | null> {
  const { rows } = await store.system.query<{ given: number | null }>({
    name: 'position-changes',
    text: 'select landfall.position_changes($1) as given',
    values: [batchSize],
  });
  return rows[0]?.given ?? null;
}
