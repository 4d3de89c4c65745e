import { readScheduledRefreshes, type ScheduledRefreshes } from '#shared/store/system/waiting-work.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Which of these connectors have refreshes planned, and which have some that are due. */
export function scheduledRefreshes(ctx: CoreContext, connectors: readonly string[]): Promise<ScheduledRefreshes[]> {
  return withSystem(ctx.store, (tx) => readScheduledRefreshes(tx, connectors));
}
