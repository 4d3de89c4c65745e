import { type Attributes, type Counter, type Histogram, type MeterProvider, metrics } from '@opentelemetry/api';
import { type Metric, type MetricName, metricCatalogue } from './metric-catalogue.ts';

type Catalogued = (typeof metricCatalogue)[number];
export type NameOf<K extends Metric['kind']> = Extract<Catalogued, { kind: K }>['name'];
/** A value for each attribute that the catalogue names; a histogram's or counter's series are told apart by nothing else. */
export type AttributesOf<N extends MetricName> = Record<
  Extract<Catalogued, { name: N }>['attributes'][number],
  string | number
>;
export type Observation<N extends MetricName = MetricName> = { value: number; attributes: AttributesOf<N> };

type MeasuredHere = Exclude<NameOf<'histogram'>, 'mcp.server.operation.duration'>;

const bucketsS = {
  'landfall.refresh.lag': [0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600, 14_400],
  'landfall.carrier.request.duration': [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30],
  // OpenTelemetry's semantic conventions for HTTP.
  'http.server.request.duration': [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
} as const satisfies Record<MeasuredHere, readonly number[]>;

const made = {
  provider: null as MeterProvider | null,
  counters: new Map<string, Counter>(),
  histograms: new Map<string, Histogram>(),
};

/** Adds to a counter of the catalogue. Without a provider nothing is counted. */
export function addTo<N extends NameOf<'counter'>>(name: N, value: number, attributes: AttributesOf<N>): void {
  forgetOtherProvider();
  let counter = made.counters.get(name);
  if (counter === undefined) {
    const { unit, description } = entryOf(name);
    counter = metrics.getMeter('landfall').createCounter(name, { unit, description });
    made.counters.set(name, counter);
  }
  counter.add(value, attributes as Attributes);
}

/** Records seconds in a histogram of the catalogue. Without a provider nothing is recorded. */
export function recordSeconds<N extends MeasuredHere>(name: N, seconds: number, attributes: AttributesOf<N>): void {
  forgetOtherProvider();
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

/** Asks for a gauge's values whenever somebody collects them. A rejected `read` leaves the gauge out of that collection. */
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
      // A missing gauge is a fact of its own; the other metrics must go out all the same.
    }
  };
  gauge.addCallback(observe);
  return { stop: () => gauge.removeCallback(observe) };
}

/** An instrument belongs to the provider that was there when it was made: the metrics API has nothing that stands in for a later one. */
function forgetOtherProvider(): void {
  const provider = metrics.getMeterProvider();
  if (made.provider === provider) return;
  made.provider = provider;
  made.counters.clear();
  made.histograms.clear();
}

function entryOf(name: MetricName): Metric {
  const entry = metricCatalogue.find((metric) => metric.name === name);
  if (entry === undefined) throw new Error(`${name} is not in the catalogue of metrics`);
  return entry;
}
