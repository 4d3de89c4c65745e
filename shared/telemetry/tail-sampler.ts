import { type Attributes, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';
import { isInShare, type KeptReason } from '#shared/domain/operations/trace.ts';

export type TailSampling = {
  /** Share of ordinary traces to keep, from 0 to 1. */
  share: number;
  /** A first span that takes at least this long is slow. */
  slowMs: number;
};

export type TailSamplerOptions = {
  sampling: () => TailSampling;
  /** Called with this process's complete part of a trace, once none of its spans is open. */
  keep: (spans: readonly ReadableSpan[], reason: KeptReason) => void;
  onDropped: (reason: 'too_many_spans' | 'too_many_open', count: number) => void;
  /** Only tests set limits. */
  limits?: { spansOfTrace: number; openTraces: number; openSpans: number };
};

type OpenTrace = { open: number; spans: ReadableSpan[] };

const defaultLimits = { spansOfTrace: 500, openTraces: 5000, openSpans: 50_000 };
const maxRemembered = 2000;

/**
 * Collects the ended spans of each trace and decides when the last open span ends, so that a process keeps its part of
 * a trace completely or not at all. Later spans of a trace that was kept are kept too. Memory is bounded: with too many
 * open traces, the oldest one is decided early.
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

/** The first span of the trace in this process. */
export function firstSpanOf(spans: readonly ReadableSpan[]): ReadableSpan | undefined {
  return spans.filter(isLocalRoot).toSorted(byStart)[0] ?? spans.toSorted(byStart)[0];
}

/** True for failures that an operator should see; a carrier that doesn't know a shipment is none. */
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
  if (kept.size <= maxRemembered) return;
  const [oldest] = kept;
  if (oldest !== undefined) kept.delete(oldest);
}
