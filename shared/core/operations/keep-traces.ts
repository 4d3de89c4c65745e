import { keepTracePartitions } from '#shared/store/system/trace-partitions.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

const daysAhead = 2;
const keptHours = 48;

/** Makes room for the traces of the coming days and lets go of the old ones; any number of processes may do it at once. */
export async function keepTraces(ctx: CoreContext): Promise<{ changed: number }> {
  return withSystem(ctx.store, (tx) => keepTracePartitions(tx, { daysAhead, keptHours }));
}
