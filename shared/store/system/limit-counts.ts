import type { Store } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

const sweepEveryMs = 60_000;

/** The state of a window after a take, by the database's clock. */
export type LimitCount = { consumed: number; msLeft: number };

type LimitCounts = {
  takePoints: (key: string, points: number) => Promise<LimitCount>;
  readCounts: (keys: readonly string[]) => Promise<(LimitCount | null)[]>;
};

/**
 * Rate limit counters in Postgres, shared by all processes. Windows start and end by the database's clock. Expired
 * windows are deleted once a minute. Throws the driver's errors.
 */
export function openLimitCounts(store: Store, windowS: number): LimitCounts {
  let sweptAtMs = performance.now();
  const takePoints: LimitCounts['takePoints'] = async (key, points) => {
    const nowMs = performance.now();
    if (nowMs - sweptAtMs > sweepEveryMs) {
      sweptAtMs = nowMs;
      // A failed deletion is repeated in a minute; an expired window is reused as a new one.
      deleteEndedLimitCounts(store).catch(() => undefined);
    }
    return takeLimitPoints(store, { key, points, windowS });
  };
  return { takePoints, readCounts: (keys) => readLimitCounts(store, keys) };
}

async function takeLimitPoints(
  store: Store,
  take: { key: string; points: number; windowS: number },
): Promise<LimitCount> {
  const [row] = await readRows<{ points: number; msLeft: number }>(store.system, {
    name: 'take-limit-points',
    text: `
      insert into landfall.limit_counts as counted (key, points, ends_at)
      values ($1, $2, now() + $3 * interval '1 second')
      on conflict (key) do update set
        points = excluded.points + case when counted.ends_at <= now() then 0 else counted.points end,
        ends_at = case when counted.ends_at <= now() then excluded.ends_at else counted.ends_at end
      -- A take that waited for another one began earlier than the window that the other one opened.
      returning points, least($3 * 1000, ceil(extract(epoch from ends_at - now()) * 1000))::float8 as ms_left`,
    values: [take.key, take.points, take.windowS],
  });
  if (row === undefined) throw new Error('the count was not stored');
  return { consumed: row.points, msLeft: row.msLeft };
}

async function readLimitCounts(store: Store, keys: readonly string[]): Promise<(LimitCount | null)[]> {
  const rows = await readRows<{ key: string; points: number; msLeft: number }>(store.system, {
    name: 'read-limit-counts',
    text: `
      select key, points, ceil(extract(epoch from ends_at - now()) * 1000)::float8 as ms_left
      from landfall.limit_counts
      where key = any($1) and ends_at > now()`,
    values: [keys],
  });
  const counts = new Map(rows.map(({ key, points, msLeft }) => [key, { consumed: points, msLeft }]));
  return keys.map((key) => counts.get(key) ?? null);
}

/** Deletes expired windows. */
export async function deleteEndedLimitCounts(store: Store): Promise<void> {
  await store.system.query({
    name: 'delete-ended-limit-counts',
    text: 'delete from landfall.limit_counts where ends_at <= now()',
  });
}
