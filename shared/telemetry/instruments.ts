import { type Attributes, type Counter, type Histogram, type MeterProvider, metrics } from '@opentelemetry/api';
import { type Metric, type MetricName, metricCatalogue } from './metric-catalogue.ts';

type Catalogued = (typeof metricCatalogue)[number];
export type NameOf<K extends Metric['kind']> = Extract<Catalogued, { kind: K }>['name'];
/** A value for each attribute in the catalogue; MCP's semantic conventions leave out those that don't apply. */
export type AttributesOf<N extends MetricName> = N extends 'mcp.server.operation.duration'
  ? Partial<AllAttributesOf<N>>
  : AllAttributesOf<N>;
type AllAttributesOf<N extends MetricName> = Record<
  Extract<Catalogued, { name: N }>['attributes'][number],
  string | number
>;
export type Observation<N extends MetricName = MetricName> = { value: number; attributes: AttributesOf<N> };

const bucketsS = {
  'landfall.refresh.lag': [0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600, 14_400],
  'landfall.carrier.request.duration': [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30],
  'landfall.webhook.duration': [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  'landfall.webhook.delay': [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 10, 60, 600, 3600],
  // Buckets of OpenTelemetry's semantic conventions for HTTP and MCP.
  'http.server.request.duration': [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  'mcp.server.operation.duration': [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
} as const satisfies Record<NameOf<'histogram'>, readonly number[]>;

const made = {
  provider: null as MeterProvider | null,
  counters: new Map<string, Counter>(),
  histograms: new Map<string, Histogram>(),
};

/** Adds to a counter of the catalogue. Does nothing without a meter provider. */
export function addTo<N extends NameOf<'counter'>>(name: N, value: number, attributes: AttributesOf<N>): void {
  followProvider();
  let counter = made.counters.get(name);
  if (counter === undefined) {
    const { unit, description } = entryOf(name);
    counter = metrics.getMeter('landfall').createCounter(name, { unit, description });
    made.counters.set(name, counter);
  }
  counter.add(value, attributes as Attributes);
}

/** Records seconds in a histogram of the catalogue. Does nothing without a meter provider. */
export function recordSeconds<N extends NameOf<'histogram'>>(
  name: N,
  seconds: number,
  attributes: AttributesOf<N>,
): void {
  followProvider();
  let histogram = made.histograms.get(name);
  if (histogram === undefined) {
    const { unit, description } = entryOf(name);
    histogram = metrics
      .getMeter('landfall')
      .createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...bucketsS[name]] } });
    made.histograms.set(name, histogram);
  }
  histogram.record(Math.max(0, seconds), attributes as Attributes);
}

/** Reads a gauge's values whenever metrics are collected. If `read` rejects, that collection omits the gauge. */
export function observeGauge<N extends NameOf<'gauge'>>(
  name: N,
  read: () => readonly Observation<N>[] | Promise<readonly Observation<N>[]>,
): { stop: () => void } {
  const { unit, description } = entryOf(name);
  const gauge = metrics.getMeter('landfall').createObservableGauge(name, { unit, description });
  const observe = async (result: { observe: (value: number, attributes?: Attributes) => void }): Promise<void> => {
    try {
      for (const { value, attributes } of await read()) result.observe(value, attributes as Attributes);
    } catch {
      // The other metrics must be exported all the same, and a missing gauge shows the failure.
    }
  };
  gauge.addCallback(observe);
  return { stop: () => gauge.removeCallback(observe) };
}

/** An instrument belongs to the provider that created it: the metrics API has no proxy for a provider set later. */
function followProvider(): void {
  const provider = metrics.getMeterProvider();
  if (made.provider === provider) return;
  made.provider = provider;
  made.counters.clear();
  made.histograms.clear();
}

function entryOf(name: MetricName): Metric {
  const entry = metricCatalogue.find((metric) => metric.name === name);
  if (entry === undefined) throw new Error(`${name} is not in the metric catalogue.`);
  return entry;
}
