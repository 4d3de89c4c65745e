import type { Store } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

/** The places of those uses whose session is active and whose user is still a member of the account. */
export async function findValidSessions(
  store: Store,
  uses: readonly { sessionId: string; accountId: string }[],
  maxDays: number,
): Promise<Set<number>> {
  const rows = await readRows<{ place: number }>(store.auth, {
    name: 'find-valid-sessions',
    text: `
      select u.place
      from unnest($1::uuid[], $2::uuid[]) with ordinality as u (session_id, account_id, place)
      join auth.sessions as s on s.id = u.session_id and s.expires_at > now() and s.created_at > now() - make_interval(days => $3)
      join auth.members as m on m.organization_id = u.account_id and m.user_id = s.user_id`,
    values: [uses.map(({ sessionId }) => sessionId), uses.map(({ accountId }) => accountId), maxDays],
  });
  return new Set(rows.map(({ place }) => place - 1));
}
