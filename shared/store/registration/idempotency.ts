import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

export type IdempotencyKey = { route: string; key: string; bodyHash: string };
export type IdempotencyEntry = { bodyHash: string; response: unknown };

export type StoredAnswer = IdempotencyKey & { response: unknown };

/**
 * Locks keys for this transaction. False for a key that another transaction has locked: its request is still running.
 */
export async function takeIdempotencyKeys(
  tx: Tx,
  accountId: string,
  keys: readonly IdempotencyKey[],
): Promise<boolean[]> {
  const rows = await readRows<{ taken: boolean }>(tx, {
    name: 'take-idempotency-keys',
    text: `
      select pg_try_advisory_xact_lock(hashtextextended(k.text, 0)) as taken
      from unnest($1::text[]) with ordinality as k (text, place)
      order by k.place`,
    values: [keys.map(({ route, key }) => JSON.stringify(['idempotency', accountId, route, key]))],
  });
  return rows.map((row) => row.taken);
}

/** Locks one key. False when another transaction has locked it. */
export async function takeIdempotencyKey(tx: Tx, accountId: string, key: IdempotencyKey): Promise<boolean> {
  return (await takeIdempotencyKeys(tx, accountId, [key]))[0] === true;
}

/**
 * The responses stored for these keys within the last 24 hours, or null, in their order. Lock the keys first. Each is a
 * separate index lookup (`offset 0` prevents a join): for an account that has just grown, the planner would read all
 * rows.
 */
export async function readIdempotencies(
  tx: Tx,
  accountId: string,
  keys: readonly IdempotencyKey[],
): Promise<(IdempotencyEntry | null)[]> {
  const rows = await readRows<{ bodyHash: string | null; response: unknown }>(tx, {
    name: 'read-idempotencies',
    text: `
      select i.body_hash, i.response
      from unnest($2::text[], $3::text[]) with ordinality as k (route, key, place)
      left join lateral (
        select body_hash, response
        from landfall.idempotency
        where account_id = $1 and route = k.route and key = k.key and status = 'done' and created_at > now() - interval '24 hours'
        offset 0
      ) as i on true
      order by k.place`,
    values: [accountId, keys.map(({ route }) => route), keys.map(({ key }) => key)],
  });
  return rows.map((row) => (row.bodyHash === null ? null : { bodyHash: row.bodyHash, response: row.response }));
}

/**
 * Stores responses in the transaction of their request and replaces entries older than 24 hours. Keys must be unique.
 */
export async function storeIdempotencies(tx: Tx, accountId: string, answers: readonly StoredAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  await tx.query({
    name: 'store-idempotencies',
    text: `
      insert into landfall.idempotency (account_id, route, key, body_hash, status, response)
      select $1, a.route, a.key, a."bodyHash", 'done', a.response
      -- json_to_recordset reads nested values about thirty times more slowly.
      from jsonb_to_recordset($2::jsonb) as a (route text, key text, "bodyHash" text, response jsonb)
      order by a.route collate "C", a.key collate "C"
      on conflict (account_id, route, key) do update
      set body_hash = excluded.body_hash, status = excluded.status, response = excluded.response, created_at = now()`,
    values: [accountId, JSON.stringify(answers)],
  });
}
