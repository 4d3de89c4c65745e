import type { DisabledReason } from '#shared/domain/feed/change-types.ts';
import type { EndpointSettings, WebhookEndpoint } from '#shared/domain/webhooks/endpoint.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import {
  type EndpointSecrets,
  endpointColumns,
  endpointSource,
  type Sealed,
  type SealedRow,
  sealedColumns,
  toSecrets,
} from './endpoint-row.ts';

/** An endpoint of the caller's mode. */
export type EndpointKey = { id: string; test: boolean };

/** Until the transaction ends, no other one adds an endpoint to the account. */
export async function lockEndpoints(tx: Tx, accountId: string): Promise<void> {
  await tx.query({
    name: 'lock-webhook-endpoints',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`webhook-endpoints ${accountId}`],
  });
}

/** Counts the endpoints of the account, of both modes. */
export async function countEndpoints(tx: Tx, accountId: string): Promise<number> {
  const rows = await readRows<{ count: number }>(tx, {
    name: 'count-webhook-endpoints',
    text: 'select count(*) as count from landfall.webhook_endpoints where account_id = $1',
    values: [accountId],
  });
  return rows[0]?.count ?? 0;
}

export type NewEndpointRow = EndpointSettings & {
  id: string;
  test: boolean;
  headerNames: readonly string[];
  secret: Sealed;
  headers: Sealed | null;
};

/** Adds an endpoint, which begins with the next change. */
export async function insertEndpoint(tx: Tx, accountId: string, added: NewEndpointRow): Promise<WebhookEndpoint> {
  await tx.query({
    name: 'insert-webhook-endpoint',
    text: `
      with added as (
        insert into landfall.webhook_endpoints (
          account_id, id, test, url, description, types, filter, payload, api_version, header_names, ordering,
          rate_per_second, timeout_s, key_version, secret_sealed, headers_key_version, headers_sealed
        )
        values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
        returning account_id, id
      )
      insert into landfall.webhook_cursors (account_id, endpoint_id, sequence)
      select a.account_id, a.id, coalesce((select given from landfall.account_feeds where account_id = $1), 0)
      from added as a`,
    values: [
      accountId,
      added.id,
      added.test,
      ...settingValues(added),
      added.secret.keyVersion,
      added.secret.sealed,
      added.headers?.keyVersion ?? null,
      added.headers?.sealed ?? null,
    ],
  });
  const inserted = await readEndpoint(tx, accountId, added);
  if (inserted === null) throw new Error('an endpoint is missing right after its insertion');
  return inserted;
}

function settingValues(settings: EndpointSettings & { headerNames: readonly string[] }): unknown[] {
  return [
    settings.url,
    settings.description,
    settings.types,
    settings.filter === null ? null : JSON.stringify(settings.filter),
    settings.payload,
    settings.apiVersion,
    settings.headerNames,
    settings.ordering,
    settings.ratePerSecond,
    settings.timeoutS,
  ];
}

export async function readEndpoint(tx: Tx, accountId: string, key: EndpointKey): Promise<WebhookEndpoint | null> {
  const rows = await readRows<WebhookEndpoint>(tx, {
    name: 'read-webhook-endpoint',
    text: `select ${endpointColumns} ${endpointSource}
      where e.account_id = $1 and e.id = $2 and e.test = $3`,
    values: [accountId, key.id, key.test],
  });
  return rows[0] ?? null;
}

/** The endpoint with its sealed texts. `lock`: no other transaction changes its settings until this one ends. */
export async function readEndpointSecrets(
  tx: Tx,
  accountId: string,
  key: EndpointKey,
  { lock }: { lock: boolean },
): Promise<{ endpoint: WebhookEndpoint; secrets: EndpointSecrets } | null> {
  const [row] = await readRows<WebhookEndpoint & SealedRow>(tx, {
    name: lock ? 'lock-webhook-endpoint' : 'read-webhook-endpoint-secrets',
    text: `select ${endpointColumns}, ${sealedColumns} ${endpointSource}
      where e.account_id = $1 and e.id = $2 and e.test = $3
      ${lock ? 'for update of e' : ''}`,
    values: [accountId, key.id, key.test],
  });
  if (row === undefined) return null;
  const {
    keyVersion,
    secretSealed,
    previousKeyVersion,
    previousSealed,
    headersKeyVersion,
    headersSealed,
    ...endpoint
  } = row;
  return { endpoint, secrets: toSecrets(row) };
}

/** Endpoints of a mode, newest first, before `after`. */
export async function listEndpoints(
  tx: Tx,
  accountId: string,
  page: { test: boolean; after: string | null; limit: number },
): Promise<WebhookEndpoint[]> {
  return readRows<WebhookEndpoint>(tx, {
    name: 'list-webhook-endpoints',
    text: `select ${endpointColumns} ${endpointSource}
      where e.account_id = $1 and e.test = $2 and ($3::uuid is null or e.id < $3)
      order by e.id desc
      limit $4`,
    values: [accountId, page.test, page.after, page.limit],
  });
}

/** Writes all settings. `headers` undefined: their values stay. */
export async function updateEndpoint(
  tx: Tx,
  accountId: string,
  changed: EndpointSettings & { id: string; headerNames: readonly string[]; headers: Sealed | null | undefined },
): Promise<void> {
  await tx.query({
    name: 'update-webhook-endpoint',
    text: `
      update landfall.webhook_endpoints
      set url = $3, description = $4, types = $5, filter = $6::jsonb, payload = $7, api_version = $8, header_names = $9,
        ordering = $10, rate_per_second = $11, timeout_s = $12,
        headers_key_version = case when $13 then $14 else headers_key_version end,
        headers_sealed = case when $13 then $15 else headers_sealed end, updated_at = now()
      where account_id = $1 and id = $2`,
    values: [
      accountId,
      changed.id,
      ...settingValues(changed),
      changed.headers !== undefined,
      changed.headers?.keyVersion ?? null,
      changed.headers?.sealed ?? null,
    ],
  });
}

/** The present secret becomes the previous one until `overlapHours` from now; with 0 it ends. */
export async function rotateSecret(
  tx: Tx,
  accountId: string,
  rotated: { id: string; secret: Sealed; overlapHours: number },
): Promise<void> {
  await tx.query({
    name: 'rotate-webhook-secret',
    text: `
      update landfall.webhook_endpoints
      set previous_key_version = case when $5::float8 > 0 then key_version end,
        previous_sealed = case when $5::float8 > 0 then secret_sealed end,
        previous_until = case when $5::float8 > 0 then now() + make_interval(secs => $5::float8 * 3600) end,
        key_version = $3, secret_sealed = $4, secret_made_at = now()
      where account_id = $1 and id = $2`,
    values: [accountId, rotated.id, rotated.secret.keyVersion, rotated.secret.sealed, rotated.overlapHours],
  });
}

/** Its replays and its cursor go with it. Its deliveries expire. */
export async function deleteEndpoint(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-webhook-endpoint',
    text: 'delete from landfall.webhook_endpoints where account_id = $1 and id = $2',
    values: [accountId, id],
  });
}

/**
 * False: it was disabled already, or its epoch has moved on. What a worker saw before somebody enabled the endpoint says
 * nothing about it now. Without an epoch it is disabled whatever a worker does.
 */
export async function disableEndpoint(
  tx: Tx,
  accountId: string,
  { id, reason, epoch = null }: { id: string; reason: DisabledReason; epoch?: number | null },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'disable-webhook-endpoint',
    text: `
      update landfall.webhook_endpoints set enabled = false, disabled_at = now(), disabled_reason = $3
      where account_id = $1 and id = $2 and enabled and (
        $4::bigint is null
        or exists (
          select from landfall.webhook_cursors as c where c.account_id = $1 and c.endpoint_id = $2 and c.epoch = $4
        )
      )`,
    values: [accountId, id, reason, epoch],
  });
  return rowCount === 1;
}

/**
 * Waiting deliveries are due at once. With `skipMissed`, the next change comes next. The epoch keeps a worker that still
 * has the endpoint from writing its sequence.
 */
export async function enableEndpoint(
  tx: Tx,
  accountId: string,
  { id, skipMissed }: { id: string; skipMissed: boolean },
): Promise<void> {
  await tx.query({
    name: 'enable-webhook-endpoint',
    text: `
      with enabled as (
        update landfall.webhook_endpoints set enabled = true, disabled_at = null, disabled_reason = null
        where account_id = $1 and id = $2
      )
      update landfall.webhook_cursors
      set failing_since = null, consecutive_failures = 0, epoch = epoch + 1, lease_until = null, retry_at = now(),
        sequence = case
          when $3 then greatest(sequence, coalesce((select given from landfall.account_feeds where account_id = $1), 0))
          else sequence
        end
      where account_id = $1 and endpoint_id = $2`,
    values: [accountId, id, skipMissed],
  });
}
