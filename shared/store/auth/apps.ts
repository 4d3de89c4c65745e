import type { GrantedKey } from '#shared/domain/apps/app.ts';
import type { Scope } from '#shared/domain/caller.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Subject of a presented code or refresh token. */
export type Grant = {
  clientId: string;
  userId: string;
  /** `<account>:<key>` */
  reference: string;
  /** A refresh token that was replaced, and is no retry of its last use. */
  reused: boolean;
};

/** The key behind a grant that still stands. `expiresAt` is ISO UTC; null: never. */
export type GrantKey = GrantedKey & { test: boolean; expiresAt: string | null; name: string };

/** An app that is connected to a key. Times are ISO UTC. */
export type ConnectedApp = {
  id: string;
  clientId: string;
  name: string | null;
  /** The client is known by the document at its id, and not by what it said when it registered. */
  isDocumented: boolean;
  redirectUris: string[];
  connectedBy: string;
  connectedAt: string;
  lastUsedAt: string | null;
};

/** The grant of a code, by the hex SHA-256 of the code. Null: there is none. */
export async function findCodeGrant(tx: Tx, codeHash: string): Promise<Grant | null> {
  const [row] = await readRows<Omit<Grant, 'reused'>>(tx, {
    name: 'find-code-grant',
    text: `
      select v.value::jsonb #>> '{query,client_id}' as client_id, v.value::jsonb ->> 'userId' as user_id,
        v.value::jsonb ->> 'referenceId' as reference
      from auth.verifications as v
      where v.identifier = $1 and v.expires_at > now() and v.value like '{"type":"authorization_code"%'
      for update`,
    values: [codeHash],
  });
  return row === undefined ? null : { ...row, reused: false };
}

/** The grant of a refresh token, by its hex SHA-256. Others that present the same token wait for this transaction. */
export async function findRefreshGrant(tx: Tx, tokenHash: string): Promise<Grant | null> {
  const rows = await readRows<Grant>(tx, {
    name: 'find-refresh-grant',
    text: `
      select client_id, user_id, reference_id as reference,
        revoked is not null and coalesce(rotation_replay_expires_at <= now(), true) as reused
      from auth.oauth_refresh_tokens
      where token = $1
      for update`,
    values: [tokenHash],
  });
  return rows[0] ?? null;
}

/**
 * The key of a grant: its app is still connected, its user still a member of the account, and the key is valid and may
 * read shipments. Null otherwise. Neither app nor key ends before this transaction does.
 */
export async function readGrantKey(tx: Tx, { clientId, userId, reference }: Grant): Promise<GrantKey | null> {
  const rows = await readRows<GrantKey>(tx, {
    name: 'read-grant-key',
    text: `
      select k.account_id, k.id as key_id, k.test, k.expires_at, k.name
      from auth.oauth_consents as c
      join auth.members as m on m.organization_id = c.account_id and m.user_id = c.user_id
      join landfall.api_keys as k on k.account_id = c.account_id and k.id = c.key_id
      where c.client_id = $1 and c.user_id = $2 and c.reference_id = $3
        and k.parent_id is null and k.revoked_at is null and coalesce(k.expires_at > now(), true)
        and k.scopes @> array['shipments:read']
      for key share of c, m, k`,
    values: [clientId, userId, reference],
  });
  return rows[0] ?? null;
}

/** Ends a code without redeeming it. */
export async function deleteCode(tx: Tx, codeHash: string): Promise<void> {
  await tx.query({
    name: 'delete-code',
    text: 'delete from auth.verifications where identifier = $1',
    values: [codeHash],
  });
}

/** An access token as a key under the chosen one: `keyHash` is its hex SHA-256, as is that of the token. */
export type NewAppKey = {
  parentId: string;
  userId: string;
  prefix: string;
  lastFour: string;
  keyHash: string;
  test: boolean;
  scopes: readonly Scope[];
};

/**
 * Stores the key of an access token that the authorization server has just issued. It expires with the token, or with
 * its parent if that is earlier. Returns its expiry in ISO UTC; null: there is no such token.
 */
export async function insertAppKey(tx: Tx, accountId: string, key: NewAppKey): Promise<string | null> {
  const rows = await readRows<{ expiresAt: string }>(tx, {
    name: 'insert-app-key',
    text: `
      insert into landfall.api_keys (account_id, name, prefix, last_four, key_hash, scopes, test, expires_at, created_by,
        parent_id, app_token_id)
      select p.account_id, coalesce(left(nullif(c.name, ''), 200), 'Connected app'), $3, $4, decode($5, 'hex'), $6, $7,
        least(t.expires_at, p.expires_at), $8, p.id, t.id
      from auth.oauth_access_tokens as t
      join auth.oauth_clients as c on c.client_id = t.client_id
      join landfall.api_keys as p on p.account_id = $1 and p.id = $2
      where t.token = $5
      returning expires_at`,
    values: [accountId, key.parentId, key.prefix, key.lastFour, key.keyHash, key.scopes, key.test, key.userId],
  });
  return rows[0]?.expiresAt ?? null;
}

/** The apps of a key, the last one connected first. At most 200. */
export async function readApps(tx: Tx, { accountId, keyId }: GrantedKey): Promise<ConnectedApp[]> {
  return readRows<ConnectedApp>(tx, {
    name: 'read-apps',
    text: `
      select c.id, c.client_id, a.name, a.client_discovery_id is not null as is_documented, a.redirect_uris,
        u.name as connected_by, c.created_at as connected_at, used.last_used_at
      from auth.oauth_consents as c
      join auth.oauth_clients as a on a.client_id = c.client_id
      join auth.users as u on u.id = c.user_id
      cross join lateral (
        select max(coalesce(k.last_used_at, t.created_at)) as last_used_at
        from auth.oauth_access_tokens as t
        left join landfall.api_keys as k on k.account_id = c.account_id and k.app_token_id = t.id
        where t.client_id = c.client_id and t.user_id = c.user_id and t.reference_id = c.reference_id
      ) as used
      where c.account_id = $1 and c.key_id = $2
      order by c.created_at desc, c.id desc
      limit 200`,
    values: [accountId, keyId],
  });
}

/** An app that has ended, for the audit log. */
export type EndedApp = { id: string; accountId: string; keyId: string; clientId: string; name: string | null };

/** Ends an app of the account with its tokens. Null: the account has no such app. */
export async function deleteApp(tx: Tx, accountId: string, id: string): Promise<EndedApp | null> {
  const rows = await readRows<EndedApp>(tx, {
    name: 'delete-app',
    text: `delete from auth.oauth_consents as c where account_id = $1 and id = $2 returning ${endedColumns}`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

/** Ends the app of one grant, or with `everywhere` those of its client and user under all keys. */
export async function deleteAppsOfGrant(
  tx: Tx,
  { clientId, userId, reference }: Grant,
  { everywhere }: { everywhere: boolean },
): Promise<EndedApp[]> {
  return readRows<EndedApp>(tx, {
    name: 'delete-apps-of-grant',
    text: `
      delete from auth.oauth_consents as c
      where client_id = $1 and user_id = $2 and (reference_id = $3 or $4)
      returning ${endedColumns}`,
    values: [clientId, userId, reference, everywhere],
  });
}

/** Ends the apps that a member connected to the account. */
export async function deleteAppsOfMember(tx: Tx, accountId: string, userId: string): Promise<EndedApp[]> {
  return readRows<EndedApp>(tx, {
    name: 'delete-apps-of-member',
    text: `delete from auth.oauth_consents as c where account_id = $1 and user_id = $2 returning ${endedColumns}`,
    values: [accountId, userId],
  });
}

/** Returns whether the grant's app has a refresh token that still works. */
export async function hasLiveRefreshToken(tx: Tx, { clientId, userId, reference }: Grant): Promise<boolean> {
  const rows = await readRows<{ found: boolean }>(tx, {
    name: 'has-live-refresh-token',
    text: `
      select exists (
        select from auth.oauth_refresh_tokens
        where client_id = $1 and user_id = $2 and reference_id = $3 and revoked is null and expires_at > now()
      ) as found`,
    values: [clientId, userId, reference],
  });
  return rows[0]?.found === true;
}

const endedColumns = `c.id, c.account_id, c.key_id, c.client_id,
  (select a.name from auth.oauth_clients as a where a.client_id = c.client_id) as name`;
