import type { Tx } from './with-account.ts';

export type IdempotencyKey = { route: string; key: string; bodyHash: string };
export type IdempotencyEntry = { bodyHash: string; response: unknown };

/** Takes the key for this transaction; false when another transaction has it, so its request is still running. */
export async function takeIdempotencyKey(tx: Tx, accountId: string, entry: IdempotencyKey): Promise<boolean> {
  const { rows } = await tx.query<{ taken: boolean }>({
    name: 'take-idempotency-key',
    text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken',
    values: [JSON.stringify(['idempotency', accountId, entry.route, entry.key])],
  });
  return rows[0]?.taken === true;
}

/** What was answered under this key within the last 24 hours, or null. */
export async function readIdempotency(tx: Tx, accountId: string, entry: IdempotencyKey): Promise<IdempotencyEntry | null> {
  const { rows } = await tx.query<{ body_hash: string; response: unknown }>({
    name: 'read-idempotency',
    text: `
      select body_hash, response from landfall.idempotency
      where account_id = $1 and route = $2 and key = $3 and status = 'done' and created_at > now() - interval '24 hours'`,
    values: [accountId, entry.route, entry.key],
  });
  return rows[0] === undefined ? null : { bodyHash: rows[0].body_hash, response: rows[0].response };
}

/** Keeps the answer, in the transaction of what it answers; an entry older than 24 hours is replaced. */
export async function storeIdempotency(tx: Tx, accountId: string, entry: IdempotencyKey & { response: unknown }): Promise<void> {
  await tx.query({
    name: 'store-idempotency',
    text: `
      insert into landfall.idempotency (account_id, route, key, body_hash, status, response)
      values ($1, $2, $3, $4, 'done', $5::jsonb)
      on conflict (account_id, route, key) do update
      set body_hash = excluded.body_hash, status = excluded.status, response = excluded.response, created_at = now()`,
    values: [accountId, entry.route, entry.key, entry.bodyHash, JSON.stringify(entry.response)],
  });
}
