import { type PlannedLooks, readPlannedLooks } from '#shared/store/system/planned-looks.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';

/** Which of these connectors have looks planned, and which have some that are due. */
export function plannedLooks(ctx: CoreContext, connectors: readonly string[]): Promise<PlannedLooks[]> {
  return withSystem(ctx.store, (tx) => readPlannedLooks(tx, connectors));
}
