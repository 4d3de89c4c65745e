import type { Store } from '../open-store.ts';

type Take = {
  key: string;
  limit: { capacity: number; perMs: number };
  wanted: number;
  keep: number;
  forced: boolean;
  closeMs: number;
};

/** Buckets of tokens in Postgres, shared by all processes and counted by the database's clock. Throws what the driver throws. */
export function openTokenTable(
  store: Store,
): (take: Take) => Promise<{ granted: number; tokens: number; closedMs: number }> {
  return async ({ key, limit, wanted, keep, forced, closeMs }) => {
    const { rows } = await store.system.query<{ granted: number; tokens: number; closed_ms: number }>({
      name: 'take-tokens',
      text: 'select granted, tokens, closed_ms from landfall.take_tokens($1, $2, $3, $4, $5, $6, $7)',
      values: [key, limit.capacity, limit.perMs, wanted, keep, forced, closeMs],
    });
    const [row] = rows;
    if (row === undefined) throw new Error('the bucket did not answer');
    return { granted: row.granted, tokens: row.tokens, closedMs: row.closed_ms };
  };
}
