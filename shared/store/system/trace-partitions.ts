import type { Tx } from '../open-store.ts';

/**
 * Makes the days of the trace store that are missing, drops those that ended `keptHours` ago, and empties the default partition of what is
 * as old. Rejects when a table is busy for a second.
 */
export async function keepTracePartitions(
  tx: Tx,
  options: { daysAhead: number; keptHours: number },
): Promise<{ changed: number }> {
  const { rows } = await tx.query<{ changed: number }>({
    text: 'select landfall.keep_trace_partitions($1, make_interval(hours => $2)) as changed',
    values: [options.daysAhead, options.keptHours],
  });
  for (const table of ['trace_parts_default', 'spans_default']) {
    await tx.query({
      text: `delete from landfall.${table} where started_at < now() - make_interval(hours => $1)`,
      values: [options.keptHours],
    });
  }
  return { changed: rows[0]?.changed ?? 0 };
}
