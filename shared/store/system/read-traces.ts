import type {
  SpanKindName,
  SpanLink,
  SpanStatusName,
  TraceFilter,
  TraceSpan,
  TraceSummary,
} from '#shared/domain/installation/trace.ts';
import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

const readTimeoutMs = 2000;
const maxSpans = 5000;

type SummaryRow = {
  traceId: string;
  name: string;
  services: string[];
  startedUs: number;
  durationUs: number;
  failed: boolean;
  httpStatus: number | null;
  errorType: string | null;
  outcome: string | null;
  carrier: string | null;
  shipmentId: string | null;
};

const newest = 'p.started_at desc';
const slowest = 'p.duration_us desc';

/**
 * The traces with at least one matching part, each once and aggregated over all its parts. Those of a shipment are also
 * found by the trace ids of its refreshes. Times out after two seconds.
 */
export async function findTraces(tx: Tx, filter: TraceFilter): Promise<TraceSummary[]> {
  await tx.query(`set local statement_timeout = ${readTimeoutMs}`);
  const order = filter.order === 'slowest' ? slowest : newest;
  const rows = await readRows<SummaryRow>(tx, {
    text: `
      with fitting as (
        select p.trace_id, p.started_at, p.duration_us
        from landfall.trace_parts as p
        where ${conditionsOf(filter).join(' and ')}
        order by ${order}
        limit $1 * 4
      ),
      chosen as (
        select p.trace_id, max(p.started_at) as started_at, max(p.duration_us) as duration_us
        from fitting as p
        group by p.trace_id
        order by ${order.replace('p.', '')}
        limit $1
      )
      select
        replace(c.trace_id::text, '-', '') as trace_id, t.name, t.services, t.started_us, t.duration_us, t.failed, t.http_status, t.error_type,
        t.outcome, t.carrier, t.shipment_id
      from chosen as c
        cross join lateral (
          select
            (array_agg(p.name order by p.started_at))[1] as name,
            array_agg(distinct p.service) as services,
            (extract(epoch from min(p.started_at)) * 1000000)::bigint as started_us,
            (extract(epoch from max(p.started_at + p.duration_us * interval '1 microsecond') - min(p.started_at)) * 1000000)::bigint as duration_us,
            bool_or(p.failed) as failed,
            max(p.http_status) as http_status,
            max(p.error_type) as error_type,
            max(p.outcome) as outcome,
            max(p.carrier) as carrier,
            (array_agg(p.shipment_id order by p.started_at) filter (where p.shipment_id is not null))[1] as shipment_id
          from landfall.trace_parts as p
          where p.trace_id = c.trace_id
        ) as t
      order by ${filter.order === 'slowest' ? 't.duration_us' : 't.started_us'} desc`,
    values: [filter.limit, filter.sinceS, ...valuesOf(filter)],
  });
  return rows.map(({ startedUs: startedAtUs, ...trace }) => ({ ...trace, startedAtUs }));
}

/** The statement contains only the requested conditions, so that each combination has its own plan and index. */
function conditionsOf(filter: TraceFilter): string[] {
  const conditions = ['p.started_at >= now() - make_interval(secs => $2)'];
  let position = 2;
  if (filter.shipmentId !== null) {
    position += 1;
    // One index lookup for each account, because the index on shipments starts with the account.
    conditions.push(`(
      p.shipment_id = $${position} or p.trace_id = any(array(
        select l.trace_id::uuid
        from landfall.accounts as a
          join landfall.refreshes as l on l.account_id = a.id and l.shipment_id = $${position}
        where l.trace_id is not null
      )))`);
  }
  if (filter.carrier !== null) {
    position += 1;
    conditions.push(`p.carrier = $${position}`);
  }
  if (filter.outcome !== null) {
    position += 1;
    conditions.push(`p.outcome = $${position}`);
  }
  if (filter.failed) conditions.push('p.failed');
  return conditions;
}

function valuesOf(filter: TraceFilter): string[] {
  return [filter.shipmentId, filter.carrier, filter.outcome].filter((value) => value !== null);
}

type SpanRow = {
  spanId: string;
  parentSpanId: string | null;
  service: string;
  name: string;
  kind: SpanKindName;
  startedUs: number;
  durationUs: number;
  status: SpanStatusName;
  attributes: TraceSpan['attributes'];
  links: SpanLink[] | null;
};

/** The first 5,000 spans of one trace, ordered by start. Times out after two seconds. */
export async function readTraceSpans(tx: Tx, traceId: string): Promise<TraceSpan[]> {
  await tx.query(`set local statement_timeout = ${readTimeoutMs}`);
  const rows = await readRows<SpanRow>(tx, {
    text: `
      select
        span_id, parent_span_id, service, name, kind, (extract(epoch from started_at) * 1000000)::bigint as started_us, duration_us, status,
        attributes, links
      from landfall.spans
      where trace_id = $1
      order by started_at, span_id
      limit ${maxSpans}`,
    values: [traceId],
  });
  return rows.map((row) => ({
    traceId,
    spanId: row.spanId,
    parentSpanId: row.parentSpanId,
    service: row.service,
    name: row.name,
    kind: row.kind,
    startedAtUs: row.startedUs,
    durationUs: row.durationUs,
    status: row.status,
    attributes: row.attributes,
    links: row.links ?? [],
  }));
}
