import type { DeliveryOutcome } from '#shared/domain/webhooks/delivery-outcome.ts';
import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';
import type { EndpointClaim } from './claims.ts';

/** The outcomes of an endpoint since they were last recorded. */
export type EndpointProgress = EndpointClaim & {
  /** Every change up to here has an outcome. */
  sequence: number;
  successes: number;
  failures: number;
  /** Failures after the last success. */
  trailingFailures: number;
  outcomes: DeliveryOutcome[];
};

export type RecordedEndpoint = {
  endpointId: string;
  enabled: boolean;
  /** Seconds since the first failure after the last success. Null: the last one succeeded. */
  failingForS: number | null;
  consecutiveFailures: number;
};

/** Former tries that a delivery keeps: those by the schedule and many that were requested, each with up to 4 KB. */
const maxEarlierTries = 50;

/**
 * Writes outcomes of many endpoints and moves their cursors, in one statement. An endpoint whose epoch has moved on is
 * left out of it and of the result: another worker has it.
 */
export async function recordProgress(
  tx: Tx,
  progress: readonly EndpointProgress[],
  leaseS: number,
): Promise<RecordedEndpoint[]> {
  const endpoints = progress.map(({ outcomes, ...endpoint }) => ({
    ...endpoint,
    retryInMs: Math.min(...outcomes.map(({ nextTryInMs }) => nextTryInMs ?? Number.MAX_SAFE_INTEGER)),
  }));
  const outcomes = progress.flatMap((endpoint) =>
    endpoint.outcomes.map((outcome) => ({
      accountId: endpoint.accountId,
      endpointId: endpoint.endpointId,
      ...outcome,
    })),
  );
  const rows = await readRows<RecordedEndpoint>(tx, {
    name: 'record-webhook-progress',
    text: `
      with given as (
        select * from json_to_recordset($1::json) as g ("accountId" uuid, "endpointId" uuid, epoch bigint, sequence bigint, successes integer,
          failures integer, "trailingFailures" integer, "retryInMs" float8)
      ),
      -- In a fixed order, so that concurrent workers wait for each other instead of deadlocking.
      held as (
        select g.*
        from given as g
        join landfall.webhook_cursors as c on c.account_id = g."accountId" and c.endpoint_id = g."endpointId" and c.epoch = g.epoch
        order by c.account_id, c.endpoint_id
        for no key update of c
      ),
      moved as (
        update landfall.webhook_cursors as c
        set sequence = greatest(c.sequence, g.sequence), lease_until = now() + make_interval(secs => $3),
          retry_at = case
            when g."retryInMs" < 9e15 then least(c.retry_at, now() + g."retryInMs" * interval '1 millisecond') else c.retry_at
          end,
          failing_since = case
            when g.successes > 0 and g."trailingFailures" = 0 then null
            when g.successes > 0 then now()
            when g.failures > 0 then coalesce(c.failing_since, now())
            else c.failing_since
          end,
          consecutive_failures = case
            when g.successes > 0 then g."trailingFailures" else c.consecutive_failures + g.failures
          end,
          last_success_at = case when g.successes > 0 then now() else c.last_success_at end,
          last_failure_at = case when g.failures > 0 then now() else c.last_failure_at end
        from held as g
        where c.account_id = g."accountId" and c.endpoint_id = g."endpointId" and c.epoch = g.epoch
        returning c.account_id, c.endpoint_id, c.failing_since, c.consecutive_failures
      ),
      written as (
        insert into landfall.webhook_deliveries as d (
          account_id, endpoint_id, sequence, change_id, shipment_id, type, state, tries, next_try_at, tried_at, status,
          latency_ms, error, trace_id, answer
        )
        select m.account_id, m.endpoint_id, o.sequence, o."changeId", o."shipmentId", o.type, o.state, o.tries,
          now() + o."nextTryInMs" * interval '1 millisecond', o."triedAt", o.status, o."latencyMs", o.error, o."traceId", o.answer
        from json_to_recordset($2::json) as o ("accountId" uuid, "endpointId" uuid, sequence bigint, "changeId" uuid, "shipmentId" uuid, type text,
          state text, tries smallint, "nextTryInMs" float8, "triedAt" timestamptz, status smallint, "latencyMs" integer, error text, "traceId" text, answer text)
        join moved as m on m.account_id = o."accountId" and m.endpoint_id = o."endpointId"
        on conflict (account_id, endpoint_id, sequence) where sequence is not null do update
        set state = excluded.state, tries = excluded.tries, next_try_at = excluded.next_try_at, tried_at = excluded.tried_at,
          status = excluded.status, latency_ms = excluded.latency_ms, error = excluded.error, trace_id = excluded.trace_id,
          answer = excluded.answer,
          earlier = case
            when d.tried_at is null then d.earlier
            else case when jsonb_array_length(d.earlier) >= ${maxEarlierTries} then d.earlier - 0 else coalesce(d.earlier, '[]') end || jsonb_build_array(jsonb_build_object(
              'at', to_char(d.tried_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', d.status, 'latencyMs', d.latency_ms,
              'error', d.error, 'answer', d.answer, 'traceId', d.trace_id
            ))
          end
      )
      select m.endpoint_id, coalesce(e.enabled, false) as enabled, extract(epoch from now() - m.failing_since)::float8 as failing_for_s,
        m.consecutive_failures
      from moved as m
      left join landfall.webhook_endpoints as e on e.account_id = m.account_id and e.id = m.endpoint_id`,
    values: [JSON.stringify(endpoints), JSON.stringify(outcomes), leaseS],
  });
  const holding = outcomes.filter(({ holdsBack, state }) => holdsBack && state === 'waiting');
  if (holding.length > 0) await holdBack(tx, holding);
  const ended = outcomes.filter(({ holdsBack, state, tries }) => holdsBack && state !== 'waiting' && tries > 1);
  if (ended.length > 0) await letFollow(tx, ended);
  return rows;
}

type Holding = { accountId: string; endpointId: string; shipmentId: string | null; sequence: number };

/** Later deliveries of a shipment wait at least as long as the one that holds them back. */
async function holdBack(tx: Tx, holding: readonly Holding[]): Promise<void> {
  await tx.query({
    name: 'hold-back-webhook-deliveries',
    text: `
      update landfall.webhook_deliveries as d
      set next_try_at = first.next_try_at
      from json_to_recordset($1::json) as h ("accountId" uuid, "endpointId" uuid, "shipmentId" uuid, sequence bigint)
      join landfall.webhook_deliveries as first on first.account_id = h."accountId" and first.endpoint_id = h."endpointId"
        and first.sequence = h.sequence and first.state = 'waiting'
      where d.account_id = h."accountId" and d.shipment_id = h."shipmentId" and d.endpoint_id = h."endpointId" and d.sequence > h.sequence
        and d.state = 'waiting' and d.next_try_at < first.next_try_at`,
    values: [JSON.stringify(holding)],
  });
}

/** Deliveries that waited behind one that has ended are due: it may have been sent again long before its time. */
async function letFollow(tx: Tx, ended: readonly Holding[]): Promise<void> {
  await tx.query({
    name: 'let-follow-webhook-deliveries',
    text: `
      update landfall.webhook_deliveries as d
      set next_try_at = now()
      from json_to_recordset($1::json) as h ("accountId" uuid, "endpointId" uuid, "shipmentId" uuid, sequence bigint)
      where d.account_id = h."accountId" and d.shipment_id = h."shipmentId" and d.endpoint_id = h."endpointId" and d.sequence > h.sequence
        and d.state = 'waiting' and d.next_try_at > now()`,
    values: [JSON.stringify(ended)],
  });
}
