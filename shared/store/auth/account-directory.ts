import type { NamedPerson } from '#shared/domain/notes/note.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** The members of the account by name, in the order of their names. */
export async function listPresentPeople(tx: Tx, accountId: string): Promise<NamedPerson[]> {
  return readRows<NamedPerson>(tx, {
    name: 'list-present-people',
    text: `
      select user_id, name, false as has_left from landfall.account_members
      where account_id = $1 and left_at is null
      order by lower(name), user_id`,
    values: [accountId],
  });
}

/** Reads these people, without those who never were members of the account. */
export async function readPeopleByName(
  tx: Tx,
  accountId: string,
  userIds: readonly string[],
): Promise<Map<string, NamedPerson>> {
  if (userIds.length === 0) return new Map();
  const rows = await readRows<NamedPerson>(tx, {
    name: 'read-people-by-name',
    text: `
      select user_id, name, left_at is not null as has_left from landfall.account_members
      where account_id = $1 and user_id = any ($2::uuid[])`,
    values: [accountId, userIds],
  });
  return new Map(rows.map((row) => [row.userId, row]));
}

/** Reads the name of a member or an API key. Null: the account has no such member or key. */
export async function readActorName(
  tx: Tx,
  accountId: string,
  { userId, keyId }: { userId?: string; keyId: string | null },
): Promise<string | null> {
  const rows = await readRows<{ name: string }>(tx, {
    name: 'read-actor-name',
    text: `
      select name from landfall.account_members where account_id = $1 and user_id = $2
      union all
      select name from landfall.api_keys where account_id = $1 and id = $3`,
    values: [accountId, userId ?? null, userId === undefined ? keyId : null],
  });
  return rows[0]?.name ?? null;
}

/** People who have left and to whom shipments may still be assigned. Locked until the end. */
export async function lockUnreleased(tx: Tx, limit: number): Promise<{ accountId: string; userId: string }[]> {
  return readRows<{ accountId: string; userId: string }>(tx, {
    name: 'lock-unreleased-people',
    text: `
      select account_id, user_id from landfall.account_members
      where left_at is not null and released_at is null
      -- One whose shipments can't be read must not take every run.
      order by random()
      limit $1
      for no key update skip locked`,
    values: [limit],
  });
}

/** Notes that nothing is assigned any more to somebody who left. */
export async function markReleased(tx: Tx, accountId: string, userId: string): Promise<void> {
  await tx.query({
    name: 'mark-people-released',
    text: `
      update landfall.account_members set released_at = now()
      where account_id = $1 and user_id = $2 and left_at is not null`,
    values: [accountId, userId],
  });
}

/**
 * Takes up to `limit` shipments away from a person, each as a visible change, and returns their ids. They stay locked
 * until the transaction ends.
 */
export async function releaseShipments(
  tx: Tx,
  accountId: string,
  { userId, limit }: { userId: string; limit: number },
): Promise<string[]> {
  const rows = await readRows<{ id: string }>(tx, {
    name: 'release-shipments',
    text: `
      with held as (
        select id from landfall.shipments
        where account_id = $1 and assignee_id = $2
        order by id
        limit $3
        for no key update
      )
      update landfall.shipments as s
      set assignee_id = null, updated_at = now(), version = version + 1
      from held
      where s.account_id = $1 and s.id = held.id
      returning s.id`,
    values: [accountId, userId, limit],
  });
  return rows.map(({ id }) => id);
}
