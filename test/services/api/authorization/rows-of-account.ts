import type pg from 'pg';
import type { TestApi } from '#test/support/api/api.ts';
import type { WatchedState } from '#test/support/stores/stored-state.ts';

/** They change without a request: when a job is claimed, and whenever a key is used. */
export const restless = ['lease_until', 'epoch', 'next_refresh_at', 'last_used_at'];

/** A digest of the rows that each table has of the first account, and of all people and sessions. */
export async function rowsOfAccount(
  api: TestApi,
  database: pg.Client,
  state: WatchedState,
): Promise<Record<string, string>> {
  // A first refresh that the queue did not take in time gives its lease back, which changes a row.
  await api.ctx.core.registrations.settled();
  const { rows: people } = await database.query(
    'select u::text, s.id from auth.users as u left join auth.sessions as s on s.user_id = u.id order by 2',
  );
  return { ...(await state.read()), people: JSON.stringify(people) };
}
