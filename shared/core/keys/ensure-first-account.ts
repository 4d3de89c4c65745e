import { ensureAccount } from '#shared/store/system/ensure-account.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** The account named `default`, made on the first start. Safe in several processes at once. */
export function ensureFirstAccount(ctx: CoreContext): Promise<{ accountId: string; created: boolean }> {
  return withSystem(ctx.store, (tx) => ensureAccount(tx, 'default'));
}
