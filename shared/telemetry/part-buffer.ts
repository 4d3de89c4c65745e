import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';
import type { KeptReason, TracePart } from '#shared/domain/operations/trace.ts';

export type DropReason =
  | 'buffer_full'
  | 'rate'
  | 'write_failed'
  | 'too_many_spans'
  | 'too_many_open'
  | 'otlp_queue_full'
  | 'otlp_failed';

export type PartBufferOptions = {
  write: (parts: readonly TracePart[]) => Promise<void>;
  onKept: (spans: number) => void;
  onDropped: (reason: DropReason, spans: number) => void;
  /** Told of the first write that fails after one that went well, and of the next that does. */
  onState: (error: unknown | null) => void;
  limits?: Partial<BufferLimits>;
};

export type BufferLimits = {
  bufferedSpans: number;
  batchSpans: number;
  delayMs: number;
  longestPauseMs: number;
  /** The longest that closing takes: a process that stops has little time. */
  closeMs: number;
  /** Spans a second in the long run, so that a carrier that fails for two days does not fill the disk. */
  spansPerS: number;
  /** Spans at once; ordinary traces leave half of them to those that were kept for a reason. */
  burstSpans: number;
};

export type PartBuffer = {
  add: (part: TracePart, reason: KeptReason) => void;
  /** Writes what is there, within a second; what is left then is dropped. */
  close: () => Promise<void>;
};

const defaultLimits: BufferLimits = {
  bufferedSpans: 20_000,
  batchSpans: 1000,
  delayMs: 500,
  longestPauseMs: 15_000,
  closeMs: 1000,
  spansPerS: 100,
  burstSpans: 20_000,
};

/** Collects parts of traces and writes them in batches, one at a time. It never waits for anything on behalf of who adds. */
export function createPartBuffer(options: PartBufferOptions): PartBuffer {
  const limits = { ...defaultLimits, ...options.limits };
  const allowed = createAllowance(limits);
  let waiting: TracePart[] = [];
  let waitingSpans = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | null = null;

  const takeBatch = (): TracePart[] => {
    let spans = 0;
    let count = 0;
    while (count < waiting.length && (count === 0 || spans + sizeOf(waiting[count]) <= limits.batchSpans)) {
      spans += sizeOf(waiting[count]);
      count += 1;
    }
    waitingSpans -= spans;
    return waiting.splice(0, count);
  };

  const writeBatch = async (): Promise<void> => {
    const batch = takeBatch();
    const spans = batch.reduce((sum, part) => sum + part.spans.length, 0);
    try {
      // Outside of whatever was active when the timer was set: this is nobody's span, and none of its own.
      await context.with(suppressTracing(ROOT_CONTEXT), () => options.write(batch));
      options.onKept(spans);
      if (failures > 0) options.onState(null);
      failures = 0;
    } catch (error) {
      options.onDropped('write_failed', spans);
      if (failures === 0) options.onState(error);
      failures += 1;
    }
  };

  const schedule = (): void => {
    if (writing !== null || timer !== undefined || waiting.length === 0) return;
    const pauseMs =
      failures > 0
        ? Math.min(limits.delayMs * 2 ** failures, limits.longestPauseMs)
        : waitingSpans >= limits.batchSpans
          ? 0
          : limits.delayMs;
    timer = setTimeout(() => {
      timer = undefined;
      writing = writeBatch().finally(() => {
        writing = null;
        schedule();
      });
    }, pauseMs);
    timer.unref();
  };

  const writeRest = async (): Promise<void> => {
    await writing;
    while (waiting.length > 0 && failures === 0) await writeBatch();
  };

  return {
    add: (part, reason) => {
      const spans = part.spans.length;
      if (!allowed(spans, reason === 'share')) options.onDropped('rate', spans);
      else if (waitingSpans + spans > limits.bufferedSpans) options.onDropped('buffer_full', spans);
      else {
        waiting.push(part);
        waitingSpans += spans;
        schedule();
      }
    },
    close: async () => {
      clearTimeout(timer);
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const deadline = setTimeout(resolve, limits.closeMs);
      await Promise.race([late, writeRest()]);
      clearTimeout(deadline);
      clearTimeout(timer);
      if (waitingSpans > 0) options.onDropped('write_failed', waitingSpans);
      waiting = [];
      waitingSpans = 0;
    },
  };
}

function sizeOf(part: TracePart | undefined): number {
  return part?.spans.length ?? 0;
}

/** A bucket of spans, of which ordinary traces take the upper half only. */
function createAllowance({ spansPerS, burstSpans }: BufferLimits): (spans: number, ordinary: boolean) => boolean {
  let left = burstSpans;
  let filledAtMs = performance.now();
  return (spans, ordinary) => {
    const nowMs = performance.now();
    left = Math.min(burstSpans, left + ((nowMs - filledAtMs) / 1000) * spansPerS);
    filledAtMs = nowMs;
    if (left - spans < (ordinary ? burstSpans / 2 : 0)) return false;
    left -= spans;
    return true;
  };
}
