import type { Scope } from '#shared/domain/caller.ts';
import type { Tx } from '../with-account.ts';

/** A valid key that a member made, or made with such a key. Times are ISO UTC. */
export type MemberKey = {
  id: string;
  name: string;
  prefix: string;
  lastFour: string;
  scopes: Scope[];
  test: boolean;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
};

type MemberKeyRow = {
  id: string;
  name: string;
  prefix: string;
  last_four: string;
  scopes: Scope[];
  test: boolean;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
};

const madeBy = `
  with recursive made as (
    select id from landfall.api_keys where account_id = $1 and created_by = $2
    union
    select k.id from landfall.api_keys as k join made as m on k.made_with = m.id where k.account_id = $1
  )`;
const valid = `account_id = $1 and id in (select id from made) and revoked_at is null and coalesce(expires_at > now(), true)`;

/** The member's valid keys, live and test, newest first. */
export async function readMemberKeys(tx: Tx, accountId: string, userId: string): Promise<MemberKey[]> {
  const { rows } = await tx.query<MemberKeyRow>({
    name: 'read-member-keys',
    text: `${madeBy}
      select id, name, prefix, last_four, scopes, test, created_at, expires_at, last_used_at
      from landfall.api_keys where ${valid}
      order by id desc`,
    values: [accountId, userId],
  });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    scopes: row.scopes,
    test: row.test,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }));
}

/**
 * Revokes the member's valid keys and returns them. A key that one of them makes meanwhile is missing: call it again
 * until it returns none.
 */
export async function revokeMemberKeys(
  tx: Tx,
  accountId: string,
  userId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await tx.query<{ id: string; name: string }>({
    name: 'revoke-member-keys',
    text: `${madeBy}
      update landfall.api_keys set revoked_at = now() where ${valid}
      returning id, name`,
    values: [accountId, userId],
  });
  return rows;
}
