import type { SavedView, ViewSettings } from '#shared/domain/alerts/saved-view.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

const columns = `
  v.id, v.owner_id, v.name, v.shared, v.search, v.filter, v.sort, v.created_at, v.updated_at,
  (
    select count(*)::integer from landfall.alerts as a where a.account_id = v.account_id and a.view_id = v.id
  ) as alerts`;

type Reader = { userId: string; test: boolean };

/** The views that a member sees: their own and shared ones, by name. */
export async function listViews(tx: Tx, accountId: string, { userId, test }: Reader): Promise<SavedView[]> {
  return readRows<SavedView>(tx, {
    name: 'list-saved-views',
    text: `
      select ${columns}
      from landfall.saved_views as v
      where v.account_id = $1 and v.test = $2 and (v.owner_id = $3 or v.shared)
      order by lower(v.name), v.id`,
    values: [accountId, test, userId],
  });
}

/** A view that the member sees. Null: there is none. `lock`: nobody changes it until the transaction ends. */
export async function readView(
  tx: Tx,
  accountId: string,
  { id, userId, test, lock = false }: Reader & { id: string; lock?: boolean },
): Promise<SavedView | null> {
  const rows = await readRows<SavedView>(tx, {
    name: lock ? 'lock-saved-view' : 'read-saved-view',
    text: `
      select ${columns}
      from landfall.saved_views as v
      where v.account_id = $1 and v.id = $2 and v.test = $3 and (v.owner_id = $4 or v.shared)
      ${lock ? 'for no key update of v' : ''}`,
    values: [accountId, id, test, userId],
  });
  return rows[0] ?? null;
}

/** Counts the member's views. Concurrent callers take turns until their transactions end. */
export async function countOwnViews(tx: Tx, accountId: string, { userId, test }: Reader): Promise<number> {
  await tx.query({
    name: 'lock-own-views',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`saved-views:${accountId}:${userId}`],
  });
  const rows = await readRows<{ count: number }>(tx, {
    name: 'count-own-views',
    text: `
      select count(*)::integer as count from landfall.saved_views
      where account_id = $1 and test = $2 and owner_id = $3`,
    values: [accountId, test, userId],
  });
  return rows[0]?.count ?? 0;
}

/** Stores a view of the member. One of the same name is replaced and keeps its id. Returns the id. */
export async function putView(
  tx: Tx,
  accountId: string,
  { userId, test, name, shared, search, filter, sort }: ViewSettings & Reader,
): Promise<string> {
  const [row] = await readRows<{ id: string }>(tx, {
    name: 'put-saved-view',
    text: `
      insert into landfall.saved_views as v (account_id, test, owner_id, name, shared, search, filter, sort)
      values ($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb, $8)
      on conflict (account_id, test, owner_id, lower(name)) do update
      set name = excluded.name, shared = excluded.shared, search = excluded.search, filter = excluded.filter,
        sort = excluded.sort, updated_at = now()
      returning v.id`,
    values: [accountId, test, userId, name, shared, JSON.stringify(search), filter && JSON.stringify(filter), sort],
  });
  if (row === undefined) throw new Error('put-saved-view returned no row');
  return row.id;
}

/** Changes a view. Its owner stays. */
export async function updateView(tx: Tx, accountId: string, view: ViewSettings & { id: string }): Promise<void> {
  await tx.query({
    name: 'update-saved-view',
    text: `
      update landfall.saved_views
      set name = $3, shared = $4, search = $5::jsonb, filter = $6::jsonb, sort = $7, updated_at = now()
      where account_id = $1 and id = $2`,
    values: [
      accountId,
      view.id,
      view.name,
      view.shared,
      JSON.stringify(view.search),
      view.filter && JSON.stringify(view.filter),
      view.sort,
    ],
  });
}

/** Deletes a view and the alerts that follow it. */
export async function deleteView(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-saved-view',
    text: 'delete from landfall.saved_views where account_id = $1 and id = $2',
    values: [accountId, id],
  });
}

/** Ends alerts of other members that follow a view which is no longer shared. */
export async function deleteAlertsOfOthers(
  tx: Tx,
  accountId: string,
  { id, userId }: { id: string; userId: string | null },
): Promise<void> {
  await tx.query({
    name: 'delete-alerts-of-others',
    text: 'delete from landfall.alerts where account_id = $1 and view_id = $2 and user_id is distinct from $3::uuid',
    values: [accountId, id, userId],
  });
}

/** Deletes private views of removed members. Returns their number, at most `limit`. */
export async function deleteLeftViews(tx: Tx, { limit }: { limit: number }): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'delete-left-views',
    text: `
      with left_behind as (
        select account_id, id from landfall.saved_views
        where owner_id is null and not shared
        limit $1
        for update skip locked
      )
      delete from landfall.saved_views as v
      using left_behind as l
      where v.account_id = l.account_id and v.id = l.id`,
    values: [limit],
  });
  return rowCount ?? 0;
}
