import { type Attributes, type Histogram, metrics } from '@opentelemetry/api';

export type DurationHistogram = {
  /** Records what passed since `startedAtMs`, a `performance.now()`, in seconds. */
  recordSince: (startedAtMs: number, attributes: Attributes) => void;
};

/**
 * A histogram of durations in seconds. It is made with the first value, since the metrics API has nothing that stands in for a provider
 * which is registered later. Without a provider nothing is recorded.
 */
export function durationHistogram(
  name: string,
  options: { description: string; bucketsS: readonly number[] },
): DurationHistogram {
  let histogram: Histogram | undefined;
  return {
    recordSince: (startedAtMs, attributes) => {
      histogram ??= metrics.getMeter('landfall').createHistogram(name, {
        description: options.description,
        unit: 's',
        advice: { explicitBucketBoundaries: [...options.bucketsS] },
      });
      histogram.record((performance.now() - startedAtMs) / 1000, attributes);
    },
  };
}
