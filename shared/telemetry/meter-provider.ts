import { metrics } from '@opentelemetry/api';
import { getNumberFromEnv, getStringFromEnv } from '@opentelemetry/core';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';

export type Metrics = {
  /** Every metric in Prometheus's text format. */
  readPrometheus: () => Promise<string>;
  stop: () => Promise<void>;
};

const readDeadlineMs = 5000;

/** Starts to collect metrics, for `readPrometheus` and, with `otlp`, for export every `OTEL_METRIC_EXPORT_INTERVAL`. */
export async function startMetrics({ serviceName, otlp }: { serviceName: string; otlp: boolean }): Promise<Metrics> {
  // Without its server: the services have ports of their own.
  const reader = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true);
  const provider = new MeterProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    readers: [reader, ...(otlp ? [periodic(await openMetricExporter())] : [])],
  });
  metrics.setGlobalMeterProvider(provider);
  return {
    readPrometheus: async () => {
      const { resourceMetrics } = await reader.collect({ timeoutMillis: readDeadlineMs });
      return serializer.serialize(resourceMetrics);
    },
    stop: () => provider.shutdown(),
  };
}

function periodic(exporter: PushMetricExporter): PeriodicExportingMetricReader {
  const exportIntervalMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000;
  const wanted = getNumberFromEnv('OTEL_METRIC_EXPORT_TIMEOUT') ?? 30_000;
  return new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(wanted, exportIntervalMillis),
  });
}

/** Loads only the package of the configured protocol. */
async function openMetricExporter(): Promise<PushMetricExporter> {
  const protocol =
    getStringFromEnv('OTEL_EXPORTER_OTLP_METRICS_PROTOCOL') ?? getStringFromEnv('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === 'grpc') return new (await import('@opentelemetry/exporter-metrics-otlp-grpc')).OTLPMetricExporter();
  if (protocol === 'http/json')
    return new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter();
  return new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter();
}
