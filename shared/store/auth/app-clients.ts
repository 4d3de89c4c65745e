import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Remembers that the client was connected, so that it is not forgotten soon. */
export async function noteClientUse(tx: Tx, clientId: string): Promise<void> {
  await tx.query({
    name: 'note-client-use',
    text: 'update auth.oauth_clients set connected_at = now() where client_id = $1',
    values: [clientId],
  });
}

/** Counts the stored clients. */
export async function countClients(tx: Tx): Promise<number> {
  const rows = await readRows<{ count: number }>(tx, {
    name: 'count-clients',
    text: 'select count(*) as count from auth.oauth_clients',
  });
  return rows[0]?.count ?? 0;
}

/** Makes room by removing the oldest client that nobody connected within an hour. False: there is none. */
export async function deleteUnusedClient(tx: Tx): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'delete-unused-client',
    text: `
      delete from auth.oauth_clients where id = (
        select id from auth.oauth_clients
        where connected_at is null and coalesce(connected_at, created_at) <= now() - interval '1 hour'
        order by coalesce(connected_at, created_at)
        limit 1
        for update skip locked
      )`,
  });
  return rowCount === 1;
}
