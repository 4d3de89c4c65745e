import { createNoopMeter, type Meter, type MeterProvider } from '@opentelemetry/api';
import { getNumberFromEnv } from '@opentelemetry/core';
import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import { countDropped } from './span-counts.ts';

export type OtlpOptions = {
  /** Called with an error type when export starts to fail, and with null when it works again. */
  onState?: (errorType: string | null) => void;
};

/** Creates the standard batch processor, configured by `OTEL_BSP_*`, and counts the spans that it loses. */
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

/** The processor reports lost spans only to a meter, with an `error.type` for those that were not exported. */
function countingMeters(onState: NonNullable<OtlpOptions['onState']>): MeterProvider {
  let isFailing = false;
  const report = (errorType: string | null): void => {
    if (isFailing === (errorType !== null)) return;
    isFailing = errorType !== null;
    onState(errorType);
  };
  return {
    getMeter: (): Meter => {
      const nothing = createNoopMeter();
      return Object.assign(Object.create(nothing) as Meter, {
        createCounter: () => ({
          add: (spans: number, attributes: Record<string, unknown> = {}) => {
            const error = attributes['error.type'];
            if (error === undefined) return report(null);
            countDropped(error === 'queue_full' ? 'otlp_queue_full' : 'otlp_failed', spans);
            // A full queue doesn't mean that the collector is unavailable.
            if (error !== 'queue_full') report(String(error));
          },
        }),
      });
    },
  };
}
