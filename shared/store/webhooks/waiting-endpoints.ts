import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import type { EndpointFilter } from '#shared/domain/webhooks/endpoint.ts';
import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';

type EndpointKey = { accountId: string; endpointId: string };

/** A free endpoint that has work, as it was when this was read. */
export type WaitingEndpoint = EndpointKey & {
  test: boolean;
  sequence: number;
  /** A waiting delivery is due, or a replay is running. */
  hasDue: boolean;
  /** Another one after each update of the endpoint. */
  version: string;
  /** Enabled endpoints of the account. */
  enabledOfAccount: number;
};

/** An endpoint has work: a change that has no outcome yet, or a delivery whose next try is due. */
export const hasWork = '(c.sequence < f.given or c.retry_at <= now())';
export const isFree = '(c.lease_until is null or c.lease_until <= now())';

/** Up to `limit` enabled and free endpoints that have work, of these accounts or, with null, of all. Locks nothing. */
export async function findWaitingEndpoints(
  tx: Tx,
  accountIds: readonly string[] | null,
  { limit }: { limit: number },
): Promise<WaitingEndpoint[]> {
  const ofAccounts = accountIds === null ? '' : 'c.account_id = any ($2::uuid[]) and';
  return readRows<WaitingEndpoint>(tx, {
    name: accountIds === null ? 'find-all-waiting-webhook-endpoints' : 'find-waiting-webhook-endpoints',
    text: `
      -- Materialized, because PostgreSQL expects a third of all endpoints to have work. With the limit it would walk three
      -- indexes and stop early, but usually none has work, and that took half a second for 50,000 endpoints.
      with candidates as materialized (
        select c.account_id, c.endpoint_id, c.sequence, coalesce(c.retry_at <= now(), false) as has_due
        from landfall.webhook_cursors as c
        join landfall.account_feeds as f on f.account_id = c.account_id
        where ${ofAccounts} ${hasWork} and ${isFree}
      ),
      counts as (
        select e.account_id, count(*)::integer as enabled
        from landfall.webhook_endpoints as e
        where e.account_id in (select account_id from candidates) and e.enabled
        group by e.account_id
      )
      select c.account_id, c.endpoint_id, c.sequence, c.has_due, e.test, e.updated_at::text as version, n.enabled as enabled_of_account
      from candidates as c
      join counts as n on n.account_id = c.account_id
      join landfall.webhook_endpoints as e on e.account_id = c.account_id and e.id = c.endpoint_id and e.enabled
      limit $1`,
    values: [limit, ...(accountIds === null ? [] : [accountIds])],
  });
}

/** Selection of an endpoint: `types` null: all. `filter` null: all shipments, and changes without one. */
export type StoredSelection = { types: ChangeType[] | null; filter: EndpointFilter | null; version: string };

/** The selections of endpoints, by their ids. */
export async function readSelections(tx: Tx, endpoints: readonly EndpointKey[]): Promise<Map<string, StoredSelection>> {
  const rows = await readRows<StoredSelection & { id: string }>(tx, {
    name: 'read-webhook-selections',
    text: `
      select e.id, e.types, e.filter, e.updated_at::text as version
      from json_to_recordset($1::json) as g ("accountId" uuid, "endpointId" uuid)
      join landfall.webhook_endpoints as e on e.account_id = g."accountId" and e.id = g."endpointId"`,
    values: [JSON.stringify(endpoints.map(({ accountId, endpointId }) => ({ accountId, endpointId })))],
  });
  return new Map(rows.map(({ id, ...selection }) => [id, selection]));
}

/** No change after `from` and up to `to` is the endpoint's. */
export type SkippedChanges = EndpointKey & { from: number; to: number };

function byKey(left: EndpointKey, right: EndpointKey): number {
  const [one, other] = [left, right].map(({ accountId, endpointId }) => accountId + endpointId);
  return (one ?? '') < (other ?? '') ? -1 : 1;
}

/**
 * Moves the sequences of free endpoints, in one statement. An endpoint that has moved since, or that a worker has by now,
 * is left out.
 */
export async function skipChanges(tx: Tx, skipped: readonly SkippedChanges[]): Promise<void> {
  await tx.query({
    name: 'skip-webhook-changes',
    text: `
      update landfall.webhook_cursors as c set sequence = g."to"
      from json_to_recordset($1::json) as g ("accountId" uuid, "endpointId" uuid, "from" bigint, "to" bigint)
      where c.account_id = g."accountId" and c.endpoint_id = g."endpointId" and c.sequence = g."from" and ${isFree}`,
    // In the order of the key, as by its index: concurrent workers wait for each other instead of deadlocking.
    values: [JSON.stringify(skipped.toSorted(byKey))],
  });
}
