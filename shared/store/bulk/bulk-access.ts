import type { Scope } from '#shared/domain/caller.ts';
import type { Role } from '#shared/domain/members/role.ts';
import type { Store } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

/**
 * Present access of the key or the user that started a bulk action. `key` and `role` are null where there is none.
 * `unknown`: the action was started before starters were stored.
 */
export type BulkAccess =
  | { by: 'key'; key: { isRevoked: boolean; isExpired: boolean; scopes: readonly Scope[] } | null }
  | { by: 'user'; role: Role | null }
  | { by: 'unknown' };

type AccessRow = {
  startedBy: string | null;
  startedWith: string | null;
  scopes: Scope[] | null;
  revoked: boolean;
  expired: boolean;
  role: Role | null;
};

/**
 * Of a rotated key, the one that replaced it once its period of grace is over; a revoked key has no successor here. Read
 * as the system: the role for requests sees no members.
 */
export async function readBulkAccess(
  store: Pick<Store, 'system'>,
  { accountId, id }: { accountId: string; id: string },
): Promise<BulkAccess> {
  const [row] = await readRows<AccessRow>(store.system, {
    name: 'read-bulk-access',
    text: `
      select b.started_by, b.started_with, k.scopes, k.revoked_at is not null as revoked,
        coalesce(k.expires_at <= now(), false) as expired, m.role
      from landfall.bulk_actions as b
      left join lateral (
        with recursive held as (
          select k.scopes, k.revoked_at, k.expires_at, k.rotated_to, 0 as turn
          from landfall.api_keys as k
          where k.account_id = b.account_id and k.id = b.started_with
          union all
          select k.scopes, k.revoked_at, k.expires_at, k.rotated_to, h.turn + 1
          from held as h
          join landfall.api_keys as k on k.account_id = b.account_id and k.id = h.rotated_to
          where h.revoked_at is null and h.expires_at <= now() and h.turn < 50
        )
        select h.scopes, h.revoked_at, h.expires_at from held as h order by h.turn desc limit 1
      ) as k on true
      left join auth.members as m on m.organization_id = b.account_id and m.user_id = b.started_by
      where b.account_id = $1 and b.id = $2`,
    values: [accountId, id],
  });
  if (row === undefined) return { by: 'unknown' };
  const { startedBy, startedWith, scopes, revoked, expired, role } = row;
  if (startedWith !== null)
    return { by: 'key', key: scopes === null ? null : { isRevoked: revoked, isExpired: expired, scopes } };
  return startedBy === null ? { by: 'unknown' } : { by: 'user', role };
}
