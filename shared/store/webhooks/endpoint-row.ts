import type { ChangeType, DisabledReason } from '#shared/domain/feed/change-types.ts';
import type {
  ApiVersion,
  EndpointFilter,
  Ordering,
  Payload,
  WebhookEndpoint,
} from '#shared/domain/webhooks/endpoint.ts';

/** A sealed text and the version of the key that sealed it. */
export type Sealed = { keyVersion: string; sealed: Buffer };

/** The sealed texts of an endpoint. `headers` null: it has no custom headers. */
export type EndpointSecrets = { present: Sealed; previous: Sealed | null; headers: Sealed | null };

export type EndpointRow = {
  id: string;
  test: boolean;
  url: string;
  description: string | null;
  types: ChangeType[] | null;
  filter: EndpointFilter | null;
  payload: Payload;
  api_version: ApiVersion;
  header_names: string[];
  ordering: Ordering;
  rate_per_second: number | null;
  timeout_s: number;
  secret_made_at: Date;
  previous_until: Date | null;
  enabled: boolean;
  disabled_at: Date | null;
  disabled_reason: DisabledReason | null;
  sequence: number;
  failing_since: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  consecutive_failures: number;
  created_at: Date;
  updated_at: Date;
};

export type SealedRow = {
  key_version: string;
  secret_sealed: Buffer;
  previous_key_version: string | null;
  previous_sealed: Buffer | null;
  headers_key_version: string | null;
  headers_sealed: Buffer | null;
};

/** A previous secret that has ended is none. */
export const endpointColumns = `
        e.id, e.test, e.url, e.description, e.types, e.filter, e.payload, e.api_version, e.header_names, e.ordering,
        e.rate_per_second, e.timeout_s, e.secret_made_at,
        case when e.previous_until > now() then e.previous_until end as previous_until, e.enabled, e.disabled_at,
        e.disabled_reason, c.sequence, c.failing_since, c.last_success_at, c.last_failure_at, c.consecutive_failures,
        e.created_at, e.updated_at`;
export const sealedColumns = `
        e.key_version, e.secret_sealed, case when e.previous_until > now() then e.previous_key_version end as previous_key_version,
        case when e.previous_until > now() then e.previous_sealed end as previous_sealed, e.headers_key_version, e.headers_sealed`;
export const endpointSource = `
      from landfall.webhook_endpoints as e
      join landfall.webhook_cursors as c on c.account_id = e.account_id and c.endpoint_id = e.id`;

export function toEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    test: row.test,
    url: row.url,
    description: row.description,
    types: row.types,
    filter: row.filter,
    payload: row.payload,
    apiVersion: row.api_version,
    headerNames: row.header_names,
    ordering: row.ordering,
    ratePerSecond: row.rate_per_second,
    timeoutS: row.timeout_s,
    secretMadeAt: row.secret_made_at.toISOString(),
    previousSecretUntil: iso(row.previous_until),
    enabled: row.enabled,
    disabledAt: iso(row.disabled_at),
    disabledReason: row.disabled_reason,
    sequence: row.sequence,
    failingSince: iso(row.failing_since),
    lastSuccessAt: iso(row.last_success_at),
    lastFailureAt: iso(row.last_failure_at),
    consecutiveFailures: row.consecutive_failures,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function toSecrets(row: SealedRow): EndpointSecrets {
  return {
    present: { keyVersion: row.key_version, sealed: row.secret_sealed },
    previous: sealedOf(row.previous_key_version, row.previous_sealed),
    headers: sealedOf(row.headers_key_version, row.headers_sealed),
  };
}

function sealedOf(keyVersion: string | null, sealed: Buffer | null): Sealed | null {
  return keyVersion === null || sealed === null ? null : { keyVersion, sealed };
}

function iso(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
