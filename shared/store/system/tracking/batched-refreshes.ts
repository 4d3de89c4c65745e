import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { Identifiers, TrackingReason, TrackingState } from '#shared/domain/record/shipment.ts';
import type { CadenceJourney } from '#shared/domain/refresh/cadence-phase.ts';
import type { RefreshClaim, RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { isDemonstration } from '#shared/domain/registration/demonstration.ts';
import type { Tx } from '../../open-store.ts';
import { readRows } from '../../read-rows.ts';
import { isLeased } from '../../tracking/polling.ts';
import { maxRefreshes, type PollingOutcome } from '../../tracking/refreshes.ts';

type SubjectRow = {
  accountId: string;
  shipmentId: string;
  epoch: number;
  transportMode: TransportMode;
  carrier: string;
  identifiers: Identifiers;
  reference: string | null;
  registrationTraceparent: string | null;
  test: boolean;
  trackingSince: string;
  createdAt: string;
  claimedAt: string;
  dueAt: string | null;
  journey: CadenceJourney;
  state: TrackingState;
  reason: TrackingReason | null;
  consecutiveFailures: number;
  readingHash: string | null;
  answerHash: string | null;
  lastRefreshedAt: string | null;
  lastSucceededAt: string | null;
  lastChangedAt: string | null;
  testSteps: number | null;
  pushActive: boolean;
  urgent: boolean;
  hurried: boolean;
};

/** A subject before core compares the clocks. `claimedAt` is Postgres's now (ISO UTC). */
export type RenewedClaim = Omit<RefreshSubject, 'clockOffsetMs'> & { claimedAt: string };

/** Share of a lease that may pass in the queue before it is renewed. */
const usedShare = 0.15;
const enoughLeft = `make_interval(secs => $2 * ${1 - usedShare})`;

/**
 * Renews the leases that are still valid at their epoch and returns what to refresh. Claims missing from the result
 * belong to another worker, or to a settled shipment, whose history is packed. A lease with most of its time left isn't
 * renewed, which saves a write.
 */
export async function renewLeases(tx: Tx, claims: readonly RefreshClaim[], leaseS: number): Promise<RenewedClaim[]> {
  const rows = await readRows<SubjectRow>(tx, {
    name: 'renew-leases',
    text: `
      with given as (
        select distinct c."accountId" as account_id, c."shipmentId" as shipment_id, c.epoch
        from json_to_recordset($1::json) as c ("accountId" uuid, "shipmentId" uuid, epoch bigint)
      ),
      -- In a fixed order, so that concurrent workers wait for each other instead of deadlocking.
      locked as materialized (
        select p.account_id, p.shipment_id
        from given as g
        join landfall.polling as p on p.account_id = g.account_id and p.shipment_id = g.shipment_id
        where p.epoch = g.epoch and ${isLeased} and coalesce(p.lease_until - now() < ${enoughLeft}, false)
        order by p.account_id, p.shipment_id
        for no key update of p
      ),
      renewed as (
        update landfall.polling as p
        set lease_until = now() + make_interval(secs => $2)
        from locked as l
        where p.account_id = l.account_id and p.shipment_id = l.shipment_id
        returning p.account_id, p.shipment_id
      )
      select p.account_id, p.shipment_id, p.epoch, s.transport_mode, s.carrier, s.identifiers, s.reference, s.registration_traceparent, s.test, s.created_at,
        coalesce(p.tracking_since, s.created_at) as tracking_since, now() as claimed_at, p.next_refresh_at as due_at, coalesce(s.cadence, s.record) as journey, p.state, p.reason, p.consecutive_failures,
        encode(p.reading_hash, 'hex') as reading_hash, encode(p.answer_hash, 'hex') as answer_hash, p.last_refreshed_at, p.last_succeeded_at,
        p.last_changed_at, p.test_steps, exists (
          select from landfall.carrier_subscriptions as ps
          where ps.account_id = p.account_id and ps.connector = p.connector and ps.state = 'active' and ps.verified_at is not null
            and (ps.all_carriers or ps.carrier = s.carrier)
        ) as push_active, p.requested_at is not null and (p.last_refreshed_at is null or p.requested_at > p.last_refreshed_at) as urgent, p.hurried
      from given as g
      join landfall.polling as p on p.account_id = g.account_id and p.shipment_id = g.shipment_id and p.epoch = g.epoch
      join landfall.shipments as s on s.account_id = g.account_id and s.id = g.shipment_id and s.settled_at is null
      where p.lease_until - now() >= ${enoughLeft} or (g.account_id, g.shipment_id) in (select account_id, shipment_id from renewed)`,
    values: [JSON.stringify(claims), leaseS],
  });
  return rows.map((row) => ({
    accountId: row.accountId,
    shipmentId: row.shipmentId,
    epoch: row.epoch,
    transportMode: row.transportMode,
    carrier: row.carrier,
    identifiers: row.identifiers,
    registrationTraceparent: row.registrationTraceparent,
    refreshedBefore: row.lastRefreshedAt !== null,
    test: row.test,
    testSteps: row.testSteps ?? 0,
    pushActive: row.pushActive,
    urgent: row.urgent,
    hurried: row.hurried,
    demonstration: isDemonstration(row),
    trackingSince: row.trackingSince,
    createdAt: row.createdAt,
    claimedAt: row.claimedAt,
    ...(row.dueAt === null ? {} : { dueAt: row.dueAt }),
    journey: row.journey,
    polling: {
      state: row.state,
      reason: row.reason,
      consecutiveFailures: row.consecutiveFailures,
      readingHash: row.readingHash,
      answerHash: row.answerHash,
      lastSucceededAt: row.lastSucceededAt,
      lastChangedAt: row.lastChangedAt,
    },
  }));
}

/**
 * A refresh that found no change, and the polling state after it. State, reason and the reading's hash stay the same.
 */
export type UnchangedRefresh = Pick<
  PollingOutcome,
  'epoch' | 'nextRefreshInS' | 'staleInS' | 'answerHash' | 'source' | 'traceId' | 'traceKept'
> & {
  accountId: string;
  shipmentId: string;
  httpStatus: number | null;
  durationMs: number;
};

/**
 * Does the work of `finishClaims` and `insertRefreshes` for unchanged refreshes of any accounts: one narrow update each
 * of the polling row and of the run of unchanged refreshes. Returns the completed shipments. It skips shipments with a
 * newer epoch, an expired lease or a lock held elsewhere, which the caller completes one by one, so that no shipment
 * waits for another.
 */
export async function finishUnchanged(tx: Tx, refreshes: readonly UnchangedRefresh[]): Promise<Set<string>> {
  const rows = await readRows<{ shipmentId: string }>(tx, {
    name: 'finish-unchanged',
    text: `
      with given as (
        select * from json_to_recordset($1::json) as l ("accountId" uuid, "shipmentId" uuid, epoch bigint, "nextRefreshInS" float8, "staleInS" float8,
          "answerHash" text, source text, "traceId" text, "traceKept" boolean, "httpStatus" integer, "durationMs" float8)
      ),
      free as (
        select g.*
        from given as g
        join landfall.polling as p on p.account_id = g."accountId" and p.shipment_id = g."shipmentId"
        where p.epoch = g.epoch and ${isLeased}
        for no key update of p skip locked
      ),
      finished as (
        update landfall.polling as p
        set next_refresh_at = now() + make_interval(secs => f."nextRefreshInS"), stale_at = now() + make_interval(secs => f."staleInS"),
          consecutive_failures = 0, answer_hash = coalesce(decode(f."answerHash", 'hex'), p.answer_hash), source = coalesce(f.source, p.source),
          trace_id = f."traceId", trace_kept = f."traceKept", attempts = p.attempts + 1, last_refreshed_at = now(), last_succeeded_at = now(),
          lease_until = null, hurried = false
        from free as f
        where p.account_id = f."accountId" and p.shipment_id = f."shipmentId" and p.epoch = f.epoch and ${isLeased}
        returning p.account_id, p.shipment_id, p.unreadable, f.source, f."traceId" as trace_id, f."traceKept" as trace_kept,
          f."httpStatus" as http_status, f."durationMs" as duration_ms
      ),
      latest as (
        select f.*, l.id as refresh_id
        from finished as f
        left join lateral (
          select id, outcome, source, reason, unreadable from landfall.refreshes
          where account_id = f.account_id and shipment_id = f.shipment_id
          order by id desc
          limit 1
        ) as l on l.outcome = 'unchanged' and l.source is not distinct from f.source and l.reason is null
          and l.unreadable is not distinct from f.unreadable
      ),
      folded as (
        update landfall.refreshes as l
        set count = l.count + 1, last_at = now(), http_status = latest.http_status, duration_ms = latest.duration_ms, trace_id = latest.trace_id,
          trace_kept = latest.trace_kept
        from latest
        where l.account_id = latest.account_id and l.id = latest.refresh_id
      ),
      added as (
        insert into landfall.refreshes (account_id, shipment_id, outcome, http_status, duration_ms, events_added, trace_id, trace_kept, source, unreadable)
        select account_id, shipment_id, 'unchanged', http_status, duration_ms, 0, trace_id, trace_kept, source, unreadable
        from latest
        where refresh_id is null
        returning account_id, shipment_id
      ),
      old as materialized (
        select a.account_id, surplus.id
        from added as a
        cross join lateral (
          select id from landfall.refreshes
          where account_id = a.account_id and shipment_id = a.shipment_id
          order by id desc
          offset ${maxRefreshes - 1}
        ) as surplus
      ),
      pruned as (
        delete from landfall.refreshes as l using old where l.account_id = old.account_id and l.id = old.id
      )
      select shipment_id from finished`,
    values: [JSON.stringify(refreshes)],
  });
  return new Set(rows.map((row) => row.shipmentId));
}
