import { type Attributes, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';
import { isInShare, isOrdinary, type KeptReason, keptForAttribute } from '#shared/domain/installation/trace.ts';

export type TailSampling = {
  /** Share of ordinary traces to keep, from 0 to 1. */
  share: number;
  /** A first span that takes at least this long is slow. */
  slowMs: number;
};

export type TailSamplerOptions = {
  sampling: () => TailSampling;
  /** Called with this process's complete part of a trace, once none of its spans is open. */
  keep: (spans: readonly ReadableSpan[], reason: KeptReason, options: { promised: boolean }) => void;
  /** Returns whether an ordinary trace would be stored now. Default: yes. */
  hasRoom?: () => boolean;
  onDropped: (reason: 'too_many_spans' | 'too_many_open', count: number) => void;
  /** Only tests set limits. */
  limits?: { spansOfTrace: number; openTraces: number; openSpans: number };
};

export type TailSampler = SpanProcessor & {
  /**
   * Decides now whether this process's part of the open trace will be kept: after true it is kept, and after false an
   * ordinary trace is not. A trace can still be kept after false if it fails or becomes slow.
   */
  promise: (traceId: string) => boolean;
};

/** `promised`: null until `promise` is called. */
type OpenTrace = { open: Set<ReadableSpan>; spans: ReadableSpan[]; promised: boolean | null };

const defaultLimits = { spansOfTrace: 500, openTraces: 5000, openSpans: 50_000 };
const maxRemembered = 2000;

/**
 * Collects the ended spans of each trace and decides when the last open span ends, so that a process keeps its part of
 * a trace completely or not at all. Later spans of a trace that was kept are kept too. Memory is bounded: with too many
 * open traces, the oldest one is decided early.
 */
export function createTailSampler(options: TailSamplerOptions): TailSampler {
  const limits = options.limits ?? defaultLimits;
  const traces = new Map<string, OpenTrace>();
  const kept = new Set<string>();
  let waitingSpans = 0;

  const decide = (traceId: string, { spans, promised }: OpenTrace): void => {
    traces.delete(traceId);
    waitingSpans -= spans.length;
    if (spans.length === 0) return;
    const reason = kept.has(traceId) ? 'follows' : reasonToKeep(spans, options.sampling());
    if (reason === null || (promised === false && isOrdinary(reason))) return;
    remember(kept, traceId);
    options.keep(spans, reason, { promised: promised === true });
  };

  return {
    onStart: (span) => {
      const { traceId } = span.spanContext();
      const trace = traces.get(traceId);
      if (trace !== undefined) {
        trace.open.add(span);
        return;
      }
      traces.set(traceId, { open: new Set([span]), spans: [], promised: null });
      if (traces.size <= limits.openTraces) return;
      const [oldest] = traces;
      if (oldest !== undefined) decide(...oldest);
    },
    onEnd: (span) => {
      const { traceId } = span.spanContext();
      const trace = traces.get(traceId) ?? { open: new Set(), spans: [], promised: null };
      if (trace.spans.length >= limits.spansOfTrace) options.onDropped('too_many_spans', 1);
      else if (waitingSpans >= limits.openSpans) options.onDropped('too_many_open', 1);
      else {
        trace.spans.push(span);
        waitingSpans += 1;
      }
      trace.open.delete(span);
      if (trace.open.size === 0) decide(traceId, trace);
    },
    promise: (traceId) => {
      if (kept.has(traceId)) return true;
      const trace = traces.get(traceId);
      if (trace === undefined) return false;
      const reason = reasonToKeep([...trace.spans, ...trace.open], options.sampling());
      if (reason === null) return false;
      trace.promised ??= !isOrdinary(reason) || (options.hasRoom?.() ?? true);
      return trace.promised || !isOrdinary(reason);
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
  if (spans.some((span) => isLocalRoot(span) && elapsedMs(span) >= slowMs)) return 'slow';
  const marks = new Set(spans.map(({ attributes }) => attributes[keptForAttribute]));
  if (marks.has('requested')) return 'requested';
  if (marks.has('test')) return 'test';
  const traceId = spans[0]?.spanContext().traceId;
  return traceId !== undefined && isInShare(traceId, share) ? 'share' : null;
}

/** Of a span that is still open, until now. */
function elapsedMs({ ended, duration, startTime }: ReadableSpan): number {
  return ended
    ? duration[0] * 1000 + duration[1] / 1e6
    : performance.timeOrigin + performance.now() - (startTime[0] * 1000 + startTime[1] / 1e6);
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
