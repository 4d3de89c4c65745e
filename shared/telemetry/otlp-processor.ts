import { createNoopMeter, type Meter, type MeterProvider } from '@opentelemetry/api';
import { getNumberFromEnv } from '@opentelemetry/core';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import { countDropped } from './span-counts.ts';

export type OtlpOptions = {
  /** Told of the first batch that is lost after one that went out, by the error's kind, and with null of the next that goes out. */
  onState?: (errorType: string | null) => void;
};

/** The standard batches, set by `OTEL_BSP_*`; what is lost in them is counted. */
export function createOtlpProcessor(
  exporter: SpanExporter,
  { onState = () => undefined }: OtlpOptions = {},
): SpanProcessor {
  const maxQueueSize = getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE') ?? 2048;
  return new BatchSpanProcessor({
    exporter,
    maxQueueSize,
    maxExportBatchSize: Math.min(getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 512, maxQueueSize),
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY') ?? 5000,
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT') ?? 30_000,
    selfObsMeterProvider: countingMeters(onState),
  });
}

/** The processor tells what it lost only to a meter: an error's kind stands with the spans that did not go out. */
function countingMeters(onState: NonNullable<OtlpOptions['onState']>): MeterProvider {
  let isAway = false;
  const tell = (errorType: string | null): void => {
    if (isAway === (errorType !== null)) return;
    isAway = errorType !== null;
    onState(errorType);
  };
  return {
    getMeter: (): Meter => {
      const nothing = createNoopMeter();
      return Object.assign(Object.create(nothing) as Meter, {
        createCounter: () => ({
          add: (spans: number, attributes: Record<string, unknown> = {}) => {
            const error = attributes['error.type'];
            if (error === undefined) return tell(null);
            countDropped(error === 'queue_full' ? 'otlp_queue_full' : 'otlp_failed', spans);
            // A queue that is full says nothing of whether somebody listens.
            if (error !== 'queue_full') tell(String(error));
          },
        }),
      });
    },
  };
}
