import { toWireOperations } from '#shared/contract/operations/operations-wire.ts';
import type { ApiContext } from '../context.ts';
import { sharedOperations } from '../operations/shared-operations.ts';
import type { DashboardHandler } from '../plugins/serve-dashboard.ts';

/** How the installation does. */
export function getOperationsRoute(ctx: ApiContext): DashboardHandler<'getOperations'> {
  const read = sharedOperations(ctx);
  return async () => toWireOperations(await read());
}
