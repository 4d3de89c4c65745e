import type { CoreContext } from '../core-context.ts';

/** The context for work that ends with the signal: what it asks of the database is then cancelled there, and its connection given up. */
export function cancelledBy(ctx: CoreContext, signal: AbortSignal): CoreContext {
  return { ...ctx, store: { ...ctx.store, signal } };
}
