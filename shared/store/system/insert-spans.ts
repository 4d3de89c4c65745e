import type { TracePart } from '#shared/domain/installation/trace.ts';
import type { Tx } from '../open-store.ts';
import type { TraceStore } from '../open-trace-store.ts';
import { readRows } from '../read-rows.ts';

/** Writes trace parts with their spans in one statement: all or none. */
export async function insertSpans({ pool }: TraceStore, parts: readonly TracePart[]): Promise<void> {
  const spans: unknown[] = [];
  for (const part of parts) {
    for (const span of part.spans) {
      spans.push({
        t: span.traceId,
        i: span.spanId,
        p: span.parentSpanId,
        s: span.service,
        n: span.name,
        k: span.kind,
        b: span.startedAtUs,
        d: span.durationUs,
        x: span.status,
        a: span.attributes,
        l: span.links.length === 0 ? null : span.links,
      });
    }
  }
  await pool.query({
    name: 'insert-spans',
    text: `
      with parts as (
        insert into landfall.trace_parts (
          trace_id, started_at, duration_us, service, name, kept_for, failed, http_status, error_type, outcome, carrier, shipment_id, account_id
        )
        select
          p."traceId", timestamptz 'epoch' + p."startedAtUs" * interval '1 microsecond', p."durationUs", p.service, p.name, p."keptFor", p.failed,
          p."httpStatus", p."errorType", p.outcome, p.carrier, p."shipmentId", p."accountId"
        from json_to_recordset($1) as p (
          "traceId" uuid, "startedAtUs" bigint, "durationUs" bigint, service text, name text, "keptFor" text, failed boolean, "httpStatus" integer,
          "errorType" text, outcome text, carrier text, "shipmentId" uuid, "accountId" uuid
        )
      )
      insert into landfall.spans (
        trace_id, span_id, parent_span_id, service, name, kind, started_at, duration_us, status, attributes, links
      )
      select s.t, s.i, s.p, s.s, s.n, s.k, timestamptz 'epoch' + s.b * interval '1 microsecond', s.d, s.x, s.a, s.l
      from jsonb_to_recordset($2) as s (
        t uuid, i text, p text, s text, n text, k text, b bigint, d bigint, x text, a jsonb, l jsonb
      )`,
    values: [JSON.stringify(parts.map(({ spans: _, ...part }) => part)), JSON.stringify(spans)],
  });
}

/**
 * Creates missing daily partitions of the trace store, drops those that ended `keptHours` ago, and deletes rows of the
 * same age from the default partition. Rejects when a table stays locked for a second.
 */
export async function keepTracePartitions(
  tx: Tx,
  options: { daysAhead: number; keptHours: number },
): Promise<{ changed: number }> {
  const rows = await readRows<{ changed: number }>(tx, {
    text: 'select landfall.keep_trace_partitions($1, make_interval(hours => $2)) as changed',
    values: [options.daysAhead, options.keptHours],
  });
  for (const table of ['trace_parts_default', 'spans_default']) {
    await tx.query({
      text: `delete from landfall.${table} where started_at < now() - make_interval(hours => $1)`,
      values: [options.keptHours],
    });
  }
  return { changed: rows[0]?.changed ?? 0 };
}
