/** One metric. Attribute values come from closed sets, never from ids of shipments, accounts or credentials. */
export type Metric = {
  /** OpenTelemetry's name. */
  name: string;
  kind: 'counter' | 'gauge' | 'histogram';
  /** A UCUM unit, as in OpenTelemetry. */
  unit: string;
  attributes: readonly string[];
  description: string;
};

/** All metrics that the services publish. Dashboards and alerts may use no others. */
export const metricCatalogue = [
  {
    name: 'landfall.due.oldest_age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Time since the oldest due shipment that no worker has claimed became due. 0 if none is due.',
  },
  {
    name: 'landfall.due.count',
    kind: 'gauge',
    unit: '{shipment}',
    attributes: [],
    description: 'Shipments due for a refresh, counted up to a limit.',
  },
  {
    name: 'landfall.refresh.stalled',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Time for which shipments have been due while no refresh completed. 0 if refreshes complete.',
  },
  {
    name: 'landfall.refresh.lag',
    kind: 'histogram',
    unit: 's',
    attributes: ['carrier'],
    description: 'Time from the scheduled moment of a refresh to its commit.',
  },
  {
    name: 'landfall.refresh.count',
    kind: 'counter',
    unit: '{refresh}',
    attributes: ['carrier', 'outcome'],
    description: 'Finished refreshes by outcome: changed, unchanged, not_found or error.',
  },
  {
    name: 'landfall.events.unreadable',
    kind: 'counter',
    unit: '{event}',
    attributes: ['carrier'],
    description: 'Events of carriers that could not be read, each counted once. Their raw data is kept.',
  },
  {
    name: 'landfall.events.code_conflicts',
    kind: 'counter',
    unit: '{event}',
    attributes: ['carrier'],
    description: "Parcel scans in changed readings whose words disagree with the carrier's code.",
  },
  {
    name: 'landfall.queue.jobs',
    kind: 'gauge',
    unit: '{job}',
    attributes: ['connector', 'state'],
    description: 'Jobs in the queue by state: waiting, active, delayed or failed.',
  },
  {
    name: 'landfall.carrier.request.duration',
    kind: 'histogram',
    unit: 's',
    attributes: ['carrier', 'outcome'],
    description:
      'Duration of carrier calls by outcome: ok, not_found, rate_limited, unauthorized, client_error, server_error, ' +
      'timeout, connection or unreadable.',
  },
  {
    name: 'landfall.carrier.circuit',
    kind: 'gauge',
    unit: '1',
    attributes: ['connector'],
    description: 'State of the worst circuit of the connector: 0 closed, 1 half open, 2 open.',
  },
  {
    name: 'landfall.carrier.budget_left',
    kind: 'gauge',
    unit: '{token}',
    attributes: ['connector'],
    description: 'Calls left in the emptiest budget of the connector.',
  },
  {
    name: 'landfall.webhook.tries',
    kind: 'counter',
    unit: '{try}',
    attributes: ['outcome'],
    description: 'Tries of webhook deliveries by outcome: delivered, retrying or exhausted.',
  },
  {
    name: 'landfall.webhook.duration',
    kind: 'histogram',
    unit: 's',
    attributes: ['outcome'],
    description: 'Time from the start of a try to the end of the response of its receiver, by outcome.',
  },
  {
    name: 'landfall.webhook.delay',
    kind: 'histogram',
    unit: 's',
    attributes: [],
    description: 'Time from a change to its delivery, of deliveries that succeeded with the first try.',
  },
  {
    name: 'landfall.webhook.backlog',
    kind: 'gauge',
    unit: '{change}',
    attributes: [],
    description:
      'Changes that enabled webhook endpoints have not processed yet, plus their deliveries that wait for a retry.',
  },
  {
    name: 'landfall.webhook.oldest_age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Age of the oldest change that an enabled webhook endpoint has not processed yet. 0 if there is none.',
  },
  {
    name: 'landfall.webhook.failing',
    kind: 'gauge',
    unit: '{endpoint}',
    attributes: [],
    description: 'Enabled webhook endpoints whose last delivery failed.',
  },
  {
    name: 'landfall.alert.messages',
    kind: 'counter',
    unit: '{message}',
    attributes: ['channel', 'outcome'],
    description: 'Tries of alert messages by channel and outcome: sent, retrying, failed or dropped.',
  },
  {
    name: 'landfall.alert.waiting',
    kind: 'gauge',
    unit: '{message}',
    attributes: [],
    description: 'Alert messages that are not sent yet, counted up to 10,000.',
  },
  {
    name: 'landfall.alert.oldest_unsent_age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description:
      'Age of the oldest alert message that is late, or change that alerts have not evaluated yet. 0 if there is none.',
  },
  {
    name: 'landfall.writes.stale_refused',
    kind: 'counter',
    unit: '{write}',
    attributes: [],
    description: 'Writes rejected by their epoch because the worker had lost its lease.',
  },
  {
    name: 'landfall.feed.unsequenced_age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Age of the oldest change that is not in the feed yet.',
  },
  {
    name: 'landfall.push.oldest_age',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Age of the oldest unprocessed delivery of a carrier subscription.',
  },
  {
    name: 'landfall.registrations',
    kind: 'counter',
    unit: '{shipment}',
    attributes: ['source'],
    description: 'Registered shipments by source: api, batch or import.',
  },
  {
    name: 'landfall.events.pushed',
    kind: 'counter',
    unit: '{event}',
    attributes: ['outcome'],
    description: 'Rows that clients pushed, by outcome: added, unchanged, position_updated or failed.',
  },
  {
    name: 'landfall.shipments.settled',
    kind: 'counter',
    unit: '{shipment}',
    attributes: [],
    description: 'Shipments that settled: their history was packed SETTLE_AFTER_DAYS after they closed.',
  },
  {
    name: 'landfall.shipments.removed',
    kind: 'counter',
    unit: '{shipment}',
    attributes: ['by'],
    description: 'Shipments removed for good, by cause: retention, request or account.',
  },
  {
    name: 'landfall.settling.due',
    kind: 'gauge',
    unit: '{shipment}',
    attributes: [],
    description: 'Closed shipments that are due to settle, counted up to 10,000.',
  },
  {
    name: 'landfall.settling.bytes',
    kind: 'gauge',
    unit: 'By',
    attributes: [],
    description: 'Size of the table of settled shipments with its indexes.',
  },
  {
    name: 'landfall.db.pool.waiting',
    kind: 'gauge',
    unit: '{request}',
    attributes: ['pool'],
    description: 'Requests waiting for a database connection.',
  },
  {
    name: 'landfall.spans.dropped',
    kind: 'counter',
    unit: '{span}',
    attributes: ['reason'],
    description: 'Spans dropped, by reason.',
  },
  {
    name: 'landfall.trace_store.spans',
    kind: 'counter',
    unit: '{span}',
    attributes: [],
    description: 'Spans written to the trace store.',
  },
  {
    name: 'http.server.request.duration',
    kind: 'histogram',
    unit: 's',
    attributes: ['http.request.method', 'http.route', 'http.response.status_code'],
    description: 'Duration of API requests.',
  },
  {
    name: 'mcp.server.operation.duration',
    kind: 'histogram',
    unit: 's',
    attributes: ['mcp.method.name', 'gen_ai.operation.name', 'gen_ai.tool.name', 'mcp.protocol.version', 'error.type'],
    description: 'Duration of MCP requests.',
  },
  {
    name: 'nodejs.eventloop.delay.p50',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Median event loop delay.',
  },
  {
    name: 'nodejs.eventloop.delay.p99',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Event loop delay at the 99th percentile.',
  },
  {
    name: 'nodejs.eventloop.delay.max',
    kind: 'gauge',
    unit: 's',
    attributes: [],
    description: 'Maximum event loop delay.',
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
 * The Prometheus series of a metric, as OpenTelemetry's exporter for JavaScript names them: dots become underscores,
 * counters end in `_total`, and units are not added.
 */
export function prometheusSeries(metric: Metric): string[] {
  const name = prometheusName(metric.name);
  if (metric.kind === 'counter') return [`${name}_total`];
  return metric.kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

/** The Prometheus name of a metric or an attribute, without a suffix. */
export function prometheusName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_]/g, '_');
}
