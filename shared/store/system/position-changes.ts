import type { Store } from '../open-store.ts';

/**
 * Gives up to `batchSize` committed changes their position in the feed, in the order of `seq`. One call is one transaction on the server.
 * Gives how many there were, or null when another sequencer is at work.
 */
export async function positionWaitingChanges(store: Store, batchSize: number): Promise<number | null> {
  const { rows } = await store.system.query<{ given: number | null }>({
    name: 'position-changes',
    text: 'select landfall.position_changes($1) as given',
    values: [batchSize],
  });
  return rows[0]?.given ?? null;
}
