import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import type { EndpointFilter, Ordering, Payload } from '#shared/domain/webhooks/endpoint.ts';
import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';
import { type EndpointSecrets, type SealedRow, toSecrets } from './endpoint-row.ts';
import { hasWork, isFree } from './waiting-endpoints.ts';

/** One webhook endpoint at one epoch. A write with an older epoch is refused (fencing). */
export type EndpointClaim = { accountId: string; endpointId: string; epoch: number };

/**
 * Claims those of these endpoints that still have work and are free: increments the epoch and leases them for `leaseS`
 * seconds, by Postgres's clock. An expired lease is free again.
 */
export async function claimEndpoints(
  tx: Tx,
  endpoints: readonly Pick<EndpointClaim, 'accountId' | 'endpointId'>[],
  leaseS: number,
): Promise<EndpointClaim[]> {
  return readRows<EndpointClaim>(tx, {
    name: 'claim-webhook-endpoints',
    text: `
      with free as (
        select c.account_id, c.endpoint_id
        from json_to_recordset($1::json) as g ("accountId" uuid, "endpointId" uuid)
        join landfall.webhook_endpoints as e on e.account_id = g."accountId" and e.id = g."endpointId" and e.enabled
        join landfall.account_feeds as f on f.account_id = g."accountId"
        join landfall.webhook_cursors as c on c.account_id = g."accountId" and c.endpoint_id = g."endpointId"
        where ${hasWork} and ${isFree}
        for no key update of c skip locked
      )
      update landfall.webhook_cursors as c
      set epoch = c.epoch + 1, lease_until = now() + make_interval(secs => $2)
      from free
      where c.account_id = free.account_id and c.endpoint_id = free.endpoint_id
      returning c.account_id, c.endpoint_id, c.epoch`,
    values: [JSON.stringify(endpoints.map(({ accountId, endpointId }) => ({ accountId, endpointId }))), leaseS],
  });
}

/** Data of an endpoint that a delivery needs. The secrets are sealed. */
export type ClaimedEndpoint = EndpointClaim & {
  test: boolean;
  url: string;
  types: ChangeType[] | null;
  filter: EndpointFilter | null;
  /** Another one after each update of the endpoint. */
  version: string;
  payload: Payload;
  ordering: Ordering;
  ratePerSecond: number | null;
  timeoutS: number;
  /** Without a previous secret that has ended. */
  secrets: EndpointSecrets;
  sequence: number;
  consecutiveFailures: number;
  /** Sequences after `sequence` that have an outcome already, because a change before them has none yet. */
  outcomes: number[];
  /** A waiting delivery may be due, or a replay is running. */
  hasDue: boolean;
  /** A replay is running. */
  isReplayed: boolean;
  /** Rest of the lease. */
  leaseLeftMs: number;
};

type ClaimedRow = SealedRow & {
  id: string;
  epoch: number;
  test: boolean;
  url: string;
  types: ChangeType[] | null;
  filter: EndpointFilter | null;
  version: string;
  payload: Payload;
  ordering: Ordering;
  ratePerSecond: number | null;
  timeoutS: number;
  sequence: number;
  consecutiveFailures: number;
  outcomes: number[];
  hasDue: boolean;
  isReplayed: boolean;
  leaseLeftMs: number;
};

/**
 * Begins the work on the endpoints of one account whose claims still hold. Those that another worker has, or that ended,
 * are left out. It increments the epoch, because the queue may deliver a job twice: only one of them can begin.
 */
export async function beginClaimedEndpoints(
  tx: Tx,
  accountId: string,
  claims: readonly Pick<EndpointClaim, 'endpointId' | 'epoch'>[],
): Promise<ClaimedEndpoint[]> {
  const rows = await readRows<ClaimedRow>(tx, {
    name: 'begin-claimed-webhook-endpoints',
    text: `
      with held as (
        select c.endpoint_id
        from unnest($2::uuid[], $3::bigint[]) as g (id, epoch)
        join landfall.webhook_cursors as c on c.account_id = $1 and c.endpoint_id = g.id
        where c.epoch = g.epoch and c.lease_until > now()
        order by c.endpoint_id
        for no key update of c
      ),
      begun as (
        update landfall.webhook_cursors as c set epoch = c.epoch + 1
        from held
        where c.account_id = $1 and c.endpoint_id = held.endpoint_id
        returning c.*
      )
      select e.id, c.epoch, e.test, e.url, e.types, e.filter, e.updated_at::text as version, e.payload, e.ordering, e.rate_per_second, e.timeout_s, e.key_version, e.secret_sealed,
        case when e.previous_until > now() then e.previous_key_version end as previous_key_version,
        case when e.previous_until > now() then e.previous_sealed end as previous_sealed, e.headers_key_version,
        e.headers_sealed, c.sequence, c.consecutive_failures, coalesce(c.retry_at <= now(), false) as has_due, extract(epoch from c.lease_until - now())::float8 * 1000 as lease_left_ms,
        array(
          select d.sequence from landfall.webhook_deliveries as d
          where d.account_id = $1 and d.endpoint_id = e.id and d.sequence > c.sequence
        ) as outcomes,
        exists (
          select from landfall.webhook_replays as r where r.account_id = $1 and r.endpoint_id = e.id and r.state = 'running'
        ) as is_replayed
      from begun as c
      join landfall.webhook_endpoints as e on e.account_id = $1 and e.id = c.endpoint_id and e.enabled`,
    values: [accountId, claims.map(({ endpointId }) => endpointId), claims.map(({ epoch }) => epoch)],
  });
  return rows.map((row) => ({
    accountId,
    endpointId: row.id,
    epoch: row.epoch,
    test: row.test,
    url: row.url,
    types: row.types,
    filter: row.filter,
    version: row.version,
    payload: row.payload,
    ordering: row.ordering,
    ratePerSecond: row.ratePerSecond,
    timeoutS: row.timeoutS,
    secrets: toSecrets(row),
    sequence: row.sequence,
    consecutiveFailures: row.consecutiveFailures,
    outcomes: row.outcomes.map(Number),
    hasDue: row.hasDue,
    isReplayed: row.isReplayed,
    leaseLeftMs: row.leaseLeftMs,
  }));
}

/** Renews the leases of claims. Returns those that still hold, also if their lease has expired since then. */
export async function renewEndpoints(tx: Tx, claims: readonly EndpointClaim[], leaseS: number): Promise<Set<string>> {
  const rows = await readRows<{ endpointId: string }>(tx, {
    name: 'renew-webhook-endpoints',
    text: `
      with held as (
        select c.account_id, c.endpoint_id
        from json_to_recordset($1::json) as g ("accountId" uuid, "endpointId" uuid, epoch bigint)
        join landfall.webhook_cursors as c on c.account_id = g."accountId" and c.endpoint_id = g."endpointId"
        where c.epoch = g.epoch and c.lease_until is not null
        order by c.account_id, c.endpoint_id
        for no key update of c
      )
      update landfall.webhook_cursors as c
      set lease_until = now() + make_interval(secs => $2)
      from held
      join landfall.webhook_endpoints as e on e.account_id = held.account_id and e.id = held.endpoint_id and e.enabled
      where c.account_id = held.account_id and c.endpoint_id = held.endpoint_id
      returning c.endpoint_id`,
    values: [JSON.stringify(claims), leaseS],
  });
  return new Set(rows.map((row) => row.endpointId));
}

/**
 * Ends claims. The earliest next try of a waiting delivery says when the endpoint has work again; a running replay is
 * work.
 */
export async function releaseEndpoints(tx: Tx, claims: readonly EndpointClaim[]): Promise<void> {
  const values = [JSON.stringify(claims)];
  // A statement of its own: the snapshot of the next one is younger than the locks, so it sees the deliveries and replays
  // that were requested by then.
  await tx.query({
    name: 'lock-claimed-webhook-endpoints',
    text: `
      select
      from json_to_recordset($1::json) as g ("accountId" uuid, "endpointId" uuid, epoch bigint)
      join landfall.webhook_cursors as c on c.account_id = g."accountId" and c.endpoint_id = g."endpointId"
      where c.epoch = g.epoch
      order by c.account_id, c.endpoint_id
      for no key update of c`,
    values,
  });
  await tx.query({
    name: 'release-webhook-endpoints',
    text: `
      update landfall.webhook_cursors as c
      set lease_until = null, retry_at = case
          when exists (
            select from landfall.webhook_replays as r
            where r.account_id = c.account_id and r.endpoint_id = c.endpoint_id and r.state = 'running'
          ) then now()
          else (
            select d.next_try_at from landfall.webhook_deliveries as d
            where d.account_id = c.account_id and d.endpoint_id = c.endpoint_id and d.state = 'waiting'
            order by d.next_try_at
            limit 1
          )
        end
      from json_to_recordset($1::json) as g ("accountId" uuid, "endpointId" uuid, epoch bigint)
      where c.account_id = g."accountId" and c.endpoint_id = g."endpointId" and c.epoch = g.epoch`,
    values,
  });
}
