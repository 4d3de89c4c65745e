import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { AggregationTemporality, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { expect, it } from 'vitest';
import { type Metric, metricCatalogue, prometheusSeries } from '#shared/telemetry/metric-catalogue.ts';

const metrics: readonly Metric[] = metricCatalogue;

class OneReading extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

it('names series as the exporter does', async () => {
  const reader = new OneReading({ aggregationTemporalitySelector: () => AggregationTemporality.CUMULATIVE });
  const provider = new MeterProvider({ readers: [reader] });
  const meter = provider.getMeter('landfall');
  for (const { name, kind, unit } of metrics) {
    if (kind === 'counter') meter.createCounter(name, { unit }).add(1);
    if (kind === 'gauge') meter.createGauge(name, { unit }).record(1);
    if (kind === 'histogram') meter.createHistogram(name, { unit }).record(1);
  }
  const { resourceMetrics } = await reader.collect();
  const printed = new PrometheusSerializer().serialize(resourceMetrics).split('\n');
  const series = new Set(
    printed.filter((line) => line && !line.startsWith('#')).map((line) => /^\w+/.exec(line)?.[0] ?? line),
  );
  series.delete('target_info');
  expect([...series].toSorted()).toEqual(metrics.flatMap(prometheusSeries).toSorted());
  await provider.shutdown();
});

it('contains every metric once, with a description and without unbounded attributes', () => {
  expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length);
  for (const { name, description, attributes } of metrics) {
    expect(description, name).toMatch(/^[A-Z].*\.$/);
    expect(
      attributes.filter((attribute) => /account|shipment|credential|_id$|\.id$|url|path/.test(attribute)),
      name,
    ).toEqual([]);
  }
});
