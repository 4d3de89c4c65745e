import type { Tx } from '../open-store.ts';

/**
 * Deletes what has ended of the authorization server, at most `limit` rows of each table: expired codes and tokens, apps
 * without tokens, clients that nobody connected within `unusedHours`, and those whose last app ended `idleDays` ago.
 * Returns how many. A function of the database does it, because the system role doesn't see the room of sign-in.
 */
export async function forgetAppRows(
  tx: Tx,
  { unusedHours, idleDays, limit }: { unusedHours: number; idleDays: number; limit: number },
): Promise<number> {
  const { rows } = await tx.query<{ deleted: number }>({
    name: 'forget-app-rows',
    text: 'select landfall.forget_app_rows($1, $2, $3) as deleted',
    values: [unusedHours, idleDays, limit],
  });
  return rows[0]?.deleted ?? 0;
}
