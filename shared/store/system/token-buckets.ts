import type { Store } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

type Take = {
  key: string;
  limit: { capacity: number; perMs: number };
  wanted: number;
  keep: number;
  forced: boolean;
  closeMs: number;
};

/** Token buckets in Postgres, shared by all processes and timed by the database's clock. Throws the driver's errors. */
export function openTokenTable(
  store: Store,
): (take: Take) => Promise<{ granted: number; tokens: number; closedMs: number }> {
  return async ({ key, limit, wanted, keep, forced, closeMs }) => {
    const rows = await readRows<{ granted: number; tokens: number; closedMs: number }>(store.system, {
      name: 'take-tokens',
      text: 'select granted, tokens, closed_ms from landfall.take_tokens($1, $2, $3, $4, $5, $6, $7)',
      values: [key, limit.capacity, limit.perMs, wanted, keep, forced, closeMs],
    });
    const [row] = rows;
    if (row === undefined) throw new Error('the token bucket returned no rows');
    return row;
  };
}
