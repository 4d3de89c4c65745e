import { type ApiKey, apiKeyColumns } from '../keys/api-keys.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

const madeBy = `
  with recursive made as (
    select id from landfall.api_keys where account_id = $1 and created_by = $2
    union
    select k.id from landfall.api_keys as k join made as m on k.made_with = m.id where k.account_id = $1
  )`;
const valid = `
  account_id = $1 and id in (select id from made) and parent_id is null and revoked_at is null
  and coalesce(expires_at > now(), true)`;

/** The valid keys that a member made, or made with such a key, live and test, newest first. */
export async function readMemberKeys(tx: Tx, accountId: string, userId: string): Promise<ApiKey[]> {
  return readRows<ApiKey>(tx, {
    name: 'read-member-keys',
    text: `${madeBy} select ${apiKeyColumns} from landfall.api_keys where ${valid} order by id desc`,
    values: [accountId, userId],
  });
}

/** Revokes these keys and returns them. Call `lockApiKeys` first, so that none of them creates another. */
export async function revokeMemberKeys(
  tx: Tx,
  accountId: string,
  userId: string,
): Promise<{ id: string; name: string }[]> {
  return readRows<{ id: string; name: string }>(tx, {
    name: 'revoke-member-keys',
    text: `${madeBy}
      update landfall.api_keys set revoked_at = now() where ${valid}
      returning id, name`,
    values: [accountId, userId],
  });
}
