import type { ServiceReport } from '#shared/domain/carriers/carrier-service.ts';
import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

export type HealthRow = Omit<ServiceReport, 'updatedAt' | 'lagS'> & { connector: string; credentialId: string };
export type ServedRow = { accountId: string; connector: string; carrier: string; credentialId: string };

/**
 * Stores one worker's report, one row per set of credentials, with the age of the oldest due shipment of its accounts.
 */
export async function writeCarrierHealth(
  tx: Tx,
  workerId: string,
  report: { health: HealthRow[]; served: ServedRow[] },
): Promise<void> {
  await tx.query({
    name: 'write-carrier-served',
    text: `
      insert into landfall.carrier_served as s (account_id, connector, carrier, credential_id)
      select "accountId", connector, carrier, "credentialId"
      from json_to_recordset($1::json) as r ("accountId" uuid, connector text, carrier text, "credentialId" text)
      order by "accountId", connector, carrier
      on conflict (account_id, connector, carrier) do update set credential_id = excluded.credential_id, seen_at = excluded.seen_at
      where s.credential_id <> excluded.credential_id or s.seen_at < now() - interval '10 minutes'`,
    values: [JSON.stringify(report.served)],
  });
  await tx.query({
    name: 'write-carrier-health',
    text: `
      with given as (
        select * from json_to_recordset($2::json) as r (connector text, "credentialId" text, requests integer, succeeded integer, "latencyP50Ms" float8,
          "latencyP95Ms" float8, "lastSuccessAt" timestamptz, "lastErrorAt" timestamptz, "lastErrorReason" text, circuit text, "budgetLeft" float8,
          "closedUntil" timestamptz)
      ),
      lags as (
        select s.connector, s."credentialId", max(extract(epoch from now() - due.next_refresh_at))::float8 as lag_s
        from (
          select distinct connector, "credentialId", "accountId"
          from json_to_recordset($3::json) as s (connector text, "credentialId" text, "accountId" uuid)
        ) as s
        cross join lateral (
          select p.next_refresh_at from landfall.polling as p
          where p.connector = s.connector and p.account_id = s."accountId" and p.next_refresh_at <= now()
          order by p.next_refresh_at
          limit 1
        ) as due
        group by s.connector, s."credentialId"
      )
      insert into landfall.carrier_health as h (
        connector, credential_id, worker_id, requests, succeeded, latency_p50_ms, latency_p95_ms, last_success_at, last_error_at,
        last_error_reason, circuit, budget_left, closed_until, lag_s
      )
      select g.connector, g."credentialId", $1, g.requests, g.succeeded, g."latencyP50Ms", g."latencyP95Ms", g."lastSuccessAt", g."lastErrorAt",
        g."lastErrorReason", g.circuit, g."budgetLeft", g."closedUntil", lags.lag_s
      from given as g
      left join lags on lags.connector = g.connector and lags."credentialId" = g."credentialId"
      order by g.connector, g."credentialId"
      on conflict (connector, credential_id, worker_id) do update set
        updated_at = now(), requests = excluded.requests, succeeded = excluded.succeeded, latency_p50_ms = excluded.latency_p50_ms,
        latency_p95_ms = excluded.latency_p95_ms, last_success_at = excluded.last_success_at, last_error_at = excluded.last_error_at,
        last_error_reason = excluded.last_error_reason, circuit = excluded.circuit, budget_left = excluded.budget_left,
        closed_until = excluded.closed_until, lag_s = excluded.lag_s`,
    values: [workerId, JSON.stringify(report.health), JSON.stringify(report.served)],
  });
}

export type Heartbeat = {
  loopDelayMs: number;
  /** Since the worker completed a refresh or started, in seconds. */
  completedAgeS: number;
};

/** Records the worker's heartbeat, deletes what stopped workers left, and returns the number of live workers. */
export async function recordHeartbeat(tx: Tx, workerId: string, heartbeat: Heartbeat): Promise<number> {
  await tx.query({
    name: 'record-heartbeat',
    text: `
      insert into landfall.workers (id, loop_delay_ms, completed_at) values ($1, $2, now() - make_interval(secs => $3))
      on conflict (id) do update set
        seen_at = now(), loop_delay_ms = excluded.loop_delay_ms, completed_at = excluded.completed_at`,
    values: [workerId, heartbeat.loopDelayMs, heartbeat.completedAgeS],
  });
  await tx.query({
    name: 'forget-workers',
    text: `delete from landfall.workers where seen_at < now() - interval '1 minute'`,
  });
  await tx.query({
    name: 'forget-carrier-health',
    text: `delete from landfall.carrier_health where updated_at < now() - interval '1 hour'`,
  });
  await tx.query({
    name: 'forget-carrier-served',
    text: `delete from landfall.carrier_served where seen_at < now() - interval '30 days'`,
  });
  await tx.query({
    name: 'forget-token-buckets',
    text: `delete from landfall.token_buckets where filled_at < now() - interval '8 days'`,
  });
  const rows = await readRows<{ workers: number }>(tx, {
    name: 'count-workers',
    text: `select count(*)::integer as workers from landfall.workers where seen_at > now() - interval '20 seconds'`,
  });
  return rows[0]?.workers ?? 1;
}

/** Removes a worker that stops. The others take over its share. */
export async function removeWorker(tx: Tx, workerId: string): Promise<void> {
  await tx.query({ name: 'remove-worker', text: 'delete from landfall.workers where id = $1', values: [workerId] });
}
