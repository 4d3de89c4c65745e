import { toWireOperations } from '#shared/contract/operations/operations-wire.ts';
import { toWireTrace, toWireTraceSummary } from '#shared/contract/operations/trace-wire.ts';
import { findTraces, readTrace } from '#shared/core/operations/find-traces.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ApiContext } from '../context.ts';
import { sharedOperations } from '../operations/shared-operations.ts';
import type { Routes } from '../plugins/serve.ts';

const readers = new WeakMap<ApiContext, ReturnType<typeof sharedOperations>>();

export const operationsRoutes = {
  async getOperations({ ctx }) {
    const read = readers.get(ctx) ?? sharedOperations(ctx);
    readers.set(ctx, read);
    return toWireOperations(await read());
  },

  /** Traces of every account. */
  async findTraces({ ctx, query }) {
    return { data: (await findTraces(ctx.core, query)).map(toWireTraceSummary) };
  },

  async getTrace({ ctx, params }) {
    const trace = await readTrace(ctx.core, params.trace_id);
    if (trace === null) throw new LandfallError('route_not_found', 'Trace not found. Traces are kept for three days.');
    return toWireTrace(trace);
  },
} satisfies Partial<Routes>;
