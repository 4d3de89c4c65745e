import { monitorEventLoopDelay } from 'node:perf_hooks';

export type EventLoopDelays = { p50S: number; p99S: number; maxS: number };

export type EventLoopWatch = {
  /** The delays of the last ten seconds or more, however often they are read. */
  read: () => EventLoopDelays;
  stop: () => void;
};

const windowMs = 10_000;
const resolutionMs = 20;

/** Measures the delays of this process's event loop. */
export function watchEventLoop(): EventLoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  // The measured delays include the histogram's own resolution.
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
  let seen: { atMs: number; delays: EventLoopDelays } | null = null;
  return {
    read: () => {
      const nowMs = performance.now();
      if (seen !== null && nowMs - seen.atMs < windowMs) return seen.delays;
      const isEmpty = histogram.count === 0;
      const at = (percentile: number): number => (isEmpty ? 0 : seconds(histogram.percentile(percentile)));
      const delays = { p50S: at(50), p99S: at(99), maxS: isEmpty ? 0 : seconds(histogram.max) };
      histogram.reset();
      seen = { atMs: nowMs, delays };
      return delays;
    },
    stop: () => void histogram.disable(),
  };
}
