import type { CoreContext } from '../core-context.ts';

/** The id of the active trace, or null outside of any. */
export function traceIdOf(ctx: Pick<CoreContext, 'traceparent'>): string | null {
  return ctx.traceparent()?.split('-')[1] ?? null;
}
