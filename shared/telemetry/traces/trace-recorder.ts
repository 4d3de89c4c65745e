import type { Sampler, SpanProcessor } from '@opentelemetry/sdk-trace';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import type { TracePart } from '#shared/domain/installation/trace.ts';
import type { Logger } from '../logger.ts';
import { type BufferLimits, createPartBuffer, type PartBuffer } from './part-buffer.ts';
import { countDropped, countKept, spanCounts } from './span-counts.ts';
import { createTailSampler, type TailSampling } from './tail-sampler.ts';
import { tracePartOf } from './trace-part.ts';

export type TraceSink = TailSampling & {
  write: (parts: readonly TracePart[]) => Promise<void>;
  /** Instead of the defaults. Only tests set them. */
  limits?: Partial<BufferLimits>;
  log: Pick<Logger, 'info' | 'warn'>;
};

export type TraceRecorder = {
  sampler: Sampler;
  processor: SpanProcessor;
  attach: (sink: TraceSink) => Recording;
};

export type Recording = {
  /** Decides whether this process's part of an open trace will be stored. See `TailSampler`. */
  promise: (traceId: string) => boolean;
  close: () => Promise<void>;
};

export type RecorderOptions = {
  inner: Sampler | null;
  /** Null: the resource of the spans names the service. */
  service: string | null;
};

/**
 * Records spans for a store that is attached later. Until then, only spans that `inner` samples are recorded.
 * Afterwards every span is recorded, because the tail sampler decides at the end of a trace, but only those that
 * `inner` samples are exported by OTLP.
 */
export function createTraceRecorder({ inner, service }: RecorderOptions): TraceRecorder {
  let sink: TraceSink | null = null;
  let buffer: PartBuffer | null = null;
  const sampler: Sampler = {
    shouldSample: (...asked) => {
      const result = inner?.shouldSample(...asked) ?? { decision: SamplingDecision.NOT_RECORD };
      if (sink === null || result.decision !== SamplingDecision.NOT_RECORD) return result;
      return { ...result, decision: SamplingDecision.RECORD };
    },
    toString: () => `recorded(${inner?.toString() ?? 'none'})`,
  };
  const tail = createTailSampler({
    sampling: () => sink ?? { share: 0, slowMs: Number.POSITIVE_INFINITY },
    keep: (spans, reason, options) => {
      const part = buffer === null ? null : tracePartOf(spans, { keptFor: reason, service });
      if (part !== null) buffer?.add(part, reason, options);
    },
    hasRoom: () => buffer?.hasRoom() ?? false,
    onDropped: countDropped,
  });
  const processor: SpanProcessor = {
    ...tail,
    onStart: (span, parent) => {
      if (sink !== null) tail.onStart(span, parent);
    },
    onEnd: (span) => {
      if (sink !== null) tail.onEnd(span);
    },
  };
  const attach = (attached: TraceSink): Recording => {
    sink = attached;
    const opened = createPartBuffer({
      write: attached.write,
      limits: attached.limits ?? {},
      onKept: countKept,
      onDropped: countDropped,
      onState: reportState(attached.log),
    });
    buffer = opened;
    return {
      promise: (traceId) => sink !== null && tail.promise(traceId),
      close: async () => {
        await tail.shutdown();
        sink = null;
        buffer = null;
        await opened.close();
      },
    };
  };
  return { sampler, processor, attach };
}

function reportState(log: TraceSink['log']): (error: unknown | null) => void {
  return (error) => {
    if (error === null) log.info({ spans: spanCounts() }, 'trace store available again');
    else log.warn({ err: error, spans: spanCounts() }, 'trace store unavailable; dropping traces');
  };
}
