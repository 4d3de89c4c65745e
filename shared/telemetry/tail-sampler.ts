import { type Attributes, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';
import { isInShare, type KeptReason } from '#shared/domain/operations/trace.ts';

export type TailSampling = {
  /** Share of the ordinary traces that is kept, from 0 to 1. */
  share: number;
  /** A first span that takes as long is slow, in milliseconds. */
  slowMs: number;
};

export type TailSamplerOptions = {
  sampling: () => TailSampling;
  /** Given one process's whole part of a trace, once nothing of it is open any more. */
  keep: (spans: readonly ReadableSpan[], reason: KeptReason) => void;
  onDropped: (reason: 'too_many_spans' | 'too_many_open', count: number) => void;
  /** Only a test has other ones. */
  limits?: { spansOfTrace: number; openTraces: number; openSpans: number };
};

type OpenTrace = { open: number; spans: ReadableSpan[] };

const defaultLimits = { spansOfTrace: 500, openTraces: 5000, openSpans: 50_000 };
const rememberedTraces = 2000;

/**
 * Gathers the ended spans of each trace and decides when the last open one ends, so that what a process knows of a trace is kept whole or
 * not at all. What a trace does after it was kept is kept too. Bounded: a span that never ends holds its trace back only until there are
 * too many.
 */
export function createTailSampler(options: TailSamplerOptions): SpanProcessor {
  const limits = options.limits ?? defaultLimits;
  const traces = new Map<string, OpenTrace>();
  const kept = new Set<string>();
  let waitingSpans = 0;

  const decide = (traceId: string, { spans }: OpenTrace): void => {
    traces.delete(traceId);
    waitingSpans -= spans.length;
    if (spans.length === 0) return;
    const reason = kept.has(traceId) ? 'follows' : reasonToKeep(spans, options.sampling());
    if (reason === null) return;
    remember(kept, traceId);
    options.keep(spans, reason);
  };

  return {
    onStart: (span) => {
      const { traceId } = span.spanContext();
      const trace = traces.get(traceId);
      if (trace !== undefined) {
        trace.open += 1;
        return;
      }
      traces.set(traceId, { open: 1, spans: [] });
      if (traces.size <= limits.openTraces) return;
      const [oldest] = traces;
      if (oldest !== undefined) decide(...oldest);
    },
    onEnd: (span) => {
      const { traceId } = span.spanContext();
      const trace = traces.get(traceId) ?? { open: 1, spans: [] };
      if (trace.spans.length >= limits.spansOfTrace) options.onDropped('too_many_spans', 1);
      else if (waitingSpans >= limits.openSpans) options.onDropped('too_many_open', 1);
      else {
        trace.spans.push(span);
        waitingSpans += 1;
      }
      trace.open -= 1;
      if (trace.open <= 0) decide(traceId, trace);
    },
    forceFlush: async () => undefined,
    shutdown: async () => {
      for (const [traceId, trace] of [...traces]) decide(traceId, trace);
    },
  };
}

/** The first span in this process of what other processes, or nobody, began. */
export function firstSpanOf(spans: readonly ReadableSpan[]): ReadableSpan | undefined {
  return spans.filter(isLocalRoot).toSorted(byStart)[0] ?? spans.toSorted(byStart)[0];
}

/** True for what an operator should see: a failure, but not a carrier that says that it does not know a shipment. */
export function isFailed(span: ReadableSpan): boolean {
  if (span.attributes['refresh.outcome'] === 'error') return true;
  if (span.status.code !== SpanStatusCode.ERROR) return false;
  return !(span.kind === SpanKind.CLIENT && span.attributes['http.response.status_code'] === 404);
}

export function isLimited({ attributes }: { attributes: Attributes }): boolean {
  return attributes['http.response.status_code'] === 429;
}

function reasonToKeep(spans: readonly ReadableSpan[], { share, slowMs }: TailSampling): KeptReason | null {
  if (spans.some(isLimited)) return 'limited';
  if (spans.some(isFailed)) return 'error';
  if (spans.some((span) => isLocalRoot(span) && span.duration[0] * 1000 + span.duration[1] / 1e6 >= slowMs))
    return 'slow';
  const traceId = spans[0]?.spanContext().traceId;
  return traceId !== undefined && isInShare(traceId, share) ? 'share' : null;
}

function isLocalRoot({ parentSpanContext }: ReadableSpan): boolean {
  return parentSpanContext === undefined || parentSpanContext.isRemote === true;
}

function byStart(left: ReadableSpan, right: ReadableSpan): number {
  return left.startTime[0] - right.startTime[0] || left.startTime[1] - right.startTime[1];
}

function remember(kept: Set<string>, traceId: string): void {
  kept.delete(traceId);
  kept.add(traceId);
  if (kept.size <= rememberedTraces) return;
  const [oldest] = kept;
  if (oldest !== undefined) kept.delete(oldest);
}
