/** One metric of the product. Attributes come from closed sets: never a shipment's, an account's or a credential's id. */
export type Metric = {
  /** As OpenTelemetry names it. */
  name: string;
  kind: 'counter' | 'gauge' | 'histogram';
  /** UCUM, as OpenTelemetry writes it. */
  unit: string;
  attributes: readonly string[];
  description: string;
};

/** Every metric that the services publish. Dashboards and alerts may name no other. */
export const metricCatalogue = [
  {
    name: 'landfall.due.oldest_age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description:
      'Age of the oldest due shipment: since when it should have been looked at, and no worker has it. 0 when none is due.',
  },
  {
    name: 'landfall.due.count',
    kind: 'gauge',
    unit: '{shipment}',
    attributes: [],
    description: 'Shipments that are due now, counted up to a limit.',
  },
  {
    name: 'landfall.refresh.lag',
    kind: 'histogram',
    unit: 's',
    attributes: ['carrier'],
    description: 'From the moment at which a refresh was planned to its commit.',
  },
  {
    name: 'landfall.refresh.count',
    kind: 'counter',
    unit: '{refresh}',
    attributes: ['carrier', 'outcome'],
    description: 'Refreshes that ended: changed, unchanged, not_found or error.',
  },
  {
    name: 'landfall.queue.jobs',
    kind: 'gauge',
    unit: '{job}',
    attributes: ['connector', 'state'],
    description: 'Jobs in the queue: waiting, active, delayed or failed.',
  },
  {
    name: 'landfall.carrier.request.duration',
    kind: 'histogram',
    unit: 's',
    attributes: ['carrier', 'outcome'],
    description:
      'Calls to carriers: ok, not_found, rate_limited, unauthorized, client_error, server_error, timeout, connection or unreadable.',
  },
  {
    name: 'landfall.carrier.circuit',
    kind: 'gauge',
    unit: '1',
    attributes: ['connector'],
    description: 'Worst circuit of the connector: 0 closed, 1 half open, 2 open.',
  },
  {
    name: 'landfall.carrier.budget_left',
    kind: 'gauge',
    unit: '{token}',
    attributes: ['connector'],
    description: 'Fewest calls that a budget of the connector has left.',
  },
  {
    name: 'landfall.writes.stale_refused',
    kind: 'counter',
    unit: '{write}',
    attributes: [],
    description: 'Writes of workers that had lost their lease, refused by their epoch.',
  },
  {
    name: 'landfall.feed.unsequenced_age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Age of the oldest change that the feed does not show yet.',
  },
  {
    name: 'landfall.push.oldest_age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: "Age of the oldest carrier's delivery that is not processed yet.",
  },
  {
    name: 'landfall.registrations',
    kind: 'counter',
    unit: '{shipment}',
    attributes: ['source'],
    description: 'Shipments registered: by api, batch or import.',
  },
  {
    name: 'landfall.db.pool.waiting',
    kind: 'gauge',
    unit: '{request}',
    attributes: ['pool'],
    description: 'Requests that wait for a database connection.',
  },
  {
    name: 'landfall.spans.dropped',
    kind: 'counter',
    unit: '{span}',
    attributes: ['reason'],
    description: 'Spans that were not kept.',
  },
  {
    name: 'landfall.trace_store.spans',
    kind: 'counter',
    unit: '{span}',
    attributes: [],
    description: 'Spans that the trace store took.',
  },
  {
    name: 'http.server.request.duration',
    kind: 'histogram',
    unit: 's',
    attributes: ['http.request.method', 'http.route', 'http.response.status_code'],
    description: 'Requests that the API answered.',
  },
  {
    name: 'mcp.server.operation.duration',
    kind: 'histogram',
    unit: 's',
    attributes: ['mcp.method.name', 'gen_ai.operation.name', 'gen_ai.tool.name', 'mcp.protocol.version', 'error.type'],
    description: 'MCP requests that the API answered.',
  },
  {
    name: 'nodejs.eventloop.delay.p50',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Median delay of the event loop.',
  },
  {
    name: 'nodejs.eventloop.delay.p99',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Delay of the event loop that one turn in a hundred exceeds.',
  },
  {
    name: 'nodejs.eventloop.delay.max',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Longest delay of the event loop.',
  },
  {
    name: 'process.memory.usage',
    kind: 'gauge',
    unit: 'By',
    attributes: [],
    description: 'Resident memory of the process.',
  },
] as const satisfies readonly Metric[];

export type MetricName = (typeof metricCatalogue)[number]['name'];

/**
 * The series that Prometheus has of a metric, as OpenTelemetry's Prometheus exporter for JavaScript prints them: dots become underscores,
 * counters end in `_total`, units are not added.
 */
export function prometheusSeries(metric: Metric): string[] {
  const name = prometheusName(metric.name);
  if (metric.kind === 'counter') return [`${name}_total`];
  return metric.kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

/** The name of a metric or an attribute in Prometheus, without a suffix. */
export function prometheusName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_]/g, '_');
}
