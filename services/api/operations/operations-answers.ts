import { withDeadline } from '#shared/async/deadline.ts';
import {
  toWireOperationsHistory,
  type WireOperationsHistory,
} from '#shared/contract/installation/operations-history-wire.ts';
import { toWireOperations, type WireOperations } from '#shared/contract/installation/operations-wire.ts';
import { toWireTrace, toWireTraceSummary } from '#shared/contract/installation/trace-wire.ts';
import { findTraces, readTrace } from '#shared/core/installation/find-traces.ts';
import { readHistory } from '#shared/core/installation/operations-history.ts';
import { readOperations } from '#shared/core/installation/read-operations.ts';
import { countQueued } from '#shared/core/tracking/measure-waiting-work.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { OperationsState } from '#shared/domain/installation/operations.ts';
import { keptTraceHours, type TraceFilter, traceStartOf } from '#shared/domain/installation/trace.ts';
import type { ApiContext } from '../context.ts';

/** Readers within this time share one read, so many open pages cost as much as one. */
const sharedForMs = 2000;
/** An unavailable queue must not delay what the database knows. */
const queueTimeoutMs = 1000;

type SharedRead = { atMs: number; state: Promise<OperationsState> };

const lastReads = new WeakMap<ApiContext, SharedRead>();

/** The state of the installation. The dashboard and the operations port share one read. */
export async function answerOperations(ctx: ApiContext): Promise<WireOperations> {
  const nowMs = performance.now();
  const last = lastReads.get(ctx);
  if (last !== undefined && nowMs - last.atMs < sharedForMs) return toWireOperations(await last.state);
  const state = readOperations(ctx.core, {
    countQueues: () => withDeadline(countQueued(ctx.producer), queueTimeoutMs, 'the queue did not respond in time'),
    apiLoopDelayMs: ctx.eventLoop.read().p99S * 1000,
  });
  lastReads.set(ctx, { atMs: nowMs, state });
  state.catch(() => lastReads.delete(ctx));
  return toWireOperations(await state);
}

/** The last 24 hours of the installation. */
export async function answerHistory({ core }: ApiContext): Promise<WireOperationsHistory> {
  return toWireOperationsHistory(await readHistory(core));
}

/** Traces of all accounts. */
export async function answerTraces({ core }: ApiContext, filter: TraceFilter) {
  return { data: (await findTraces(core, filter)).map(toWireTraceSummary) };
}

/** Throws LandfallError `trace_not_found`, or `trace_not_kept` for an id of this installation. */
export async function answerTrace({ core }: ApiContext, traceId: string) {
  const trace = await readTrace(core, traceId);
  if (trace !== null) return toWireTrace(trace);
  const nowMs = core.now().getTime();
  const startedAtMs = traceStartOf(traceId, nowMs);
  if (startedAtMs === null) throw new LandfallError('trace_not_found', 'Trace not found. Check the id.');
  if (nowMs - startedAtMs > keptTraceHours * 3_600_000)
    throw new LandfallError('trace_not_kept', `This trace has expired. Traces are kept for ${keptTraceHours} hours.`);
  throw new LandfallError('trace_not_kept', notKept);
}

const notKept =
  'This trace was not kept, or has not ended yet. The trace store keeps failed, slow, rate-limited and requested ' +
  'traces, test mode, and the share TRACE_STORE_SHARE of the others.';
