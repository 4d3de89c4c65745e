import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';
import { settlesWithin } from '#shared/async/deadline.ts';
import { isOrdinary, type KeptReason, type TracePart } from '#shared/domain/installation/trace.ts';

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
  /** Called with the error when writes start to fail, and with null when they work again. */
  onState: (error: unknown | null) => void;
  limits?: Partial<BufferLimits>;
};

export type BufferLimits = {
  bufferedSpans: number;
  batchSpans: number;
  delayMs: number;
  maxPauseMs: number;
  /** Time limit of `close`. */
  closeMs: number;
  /** Spans per second in the long run, so that a carrier that fails for two days doesn't fill the disk. */
  spansPerS: number;
  /** Spans at once. Ordinary traces may use only half of them; the rest is for traces with an error, for example. */
  burstSpans: number;
};

export type PartBuffer = {
  /** A promised part uses the whole allowance, like one with an error. */
  add: (part: TracePart, reason: KeptReason, options?: { promised: boolean }) => void;
  /** Returns whether an ordinary part would be stored now. */
  hasRoom: () => boolean;
  /** Writes the buffered parts for up to `closeMs` and drops the rest. */
  close: () => Promise<void>;
};

const defaultLimits: BufferLimits = {
  bufferedSpans: 20_000,
  batchSpans: 1000,
  delayMs: 500,
  maxPauseMs: 15_000,
  closeMs: 1000,
  spansPerS: 100,
  burstSpans: 20_000,
};

/** Buffers parts of traces and writes them in batches, one at a time. Adding never waits. */
export function createPartBuffer(options: PartBufferOptions): PartBuffer {
  const limits = { ...defaultLimits, ...options.limits };
  const allowance = createAllowance(limits);
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
      // The write belongs to no trace, neither to the one that was active when the timer started nor to its own.
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
        ? Math.min(limits.delayMs * 2 ** failures, limits.maxPauseMs)
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
    hasRoom: () => allowance.covers(0, true) && waitingSpans < limits.bufferedSpans / 2,
    add: (part, reason, { promised } = { promised: false }) => {
      const spans = part.spans.length;
      if (!allowance.take(spans, isOrdinary(reason) && !promised)) options.onDropped('rate', spans);
      else if (waitingSpans + spans > limits.bufferedSpans) options.onDropped('buffer_full', spans);
      else {
        waiting.push(part);
        waitingSpans += spans;
        schedule();
      }
    },
    close: async () => {
      clearTimeout(timer);
      await settlesWithin(writeRest(), limits.closeMs);
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

type Allowance = Record<'covers' | 'take', (spans: number, ordinary: boolean) => boolean>;

/** A bucket of spans. Ordinary traces may take only its upper half. */
function createAllowance({ spansPerS, burstSpans }: BufferLimits): Allowance {
  let left = burstSpans;
  let filledAtMs = performance.now();
  const covers = (spans: number, ordinary: boolean): boolean => {
    const nowMs = performance.now();
    left = Math.min(burstSpans, left + ((nowMs - filledAtMs) / 1000) * spansPerS);
    filledAtMs = nowMs;
    return left - spans >= (ordinary ? burstSpans / 2 : 0);
  };
  return {
    covers,
    take: (spans, ordinary) => {
      if (!covers(spans, ordinary)) return false;
      left -= spans;
      return true;
    },
  };
}
