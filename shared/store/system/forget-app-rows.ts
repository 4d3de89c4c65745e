import type { Store } from '../open-store.ts';

/**
 * Deletes what has ended of the authorization server, at most `atMost` rows of each table: expired codes and tokens, apps
 * without tokens, clients that nobody connected within `unusedHours`, and those whose last app ended `idleDays` ago.
 * Returns how many. A function of the database does it, because the system role doesn't see the room of sign-in.
 */
export async function forgetAppRows(
  store: Store,
  { unusedHours, idleDays, atMost }: { unusedHours: number; idleDays: number; atMost: number },
): Promise<number> {
  const { rows } = await store.system.query<{ deleted: number }>({
    name: 'forget-app-rows',
    text: 'select landfall.forget_app_rows($1, $2, $3) as deleted',
    values: [unusedHours, idleDays, atMost],
  });
  return rows[0]?.deleted ?? 0;
}
