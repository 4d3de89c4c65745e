/** A sealed text and the version of the key that sealed it. */
export type Sealed = { keyVersion: string; sealed: Buffer };

/** The sealed texts of an endpoint. `headers` null: it has no custom headers. */
export type EndpointSecrets = { present: Sealed; previous: Sealed | null; headers: Sealed | null };

export type SealedRow = {
  keyVersion: string;
  secretSealed: Buffer;
  previousKeyVersion: string | null;
  previousSealed: Buffer | null;
  headersKeyVersion: string | null;
  headersSealed: Buffer | null;
};

/** A previous secret that has ended is none. */
export const endpointColumns = `
        e.id, e.test, e.url, e.description, e.types, e.filter, e.payload, e.api_version, e.header_names, e.ordering,
        e.rate_per_second, e.timeout_s, e.secret_made_at,
        case when e.previous_until > now() then e.previous_until end as previous_secret_until, e.enabled, e.disabled_at,
        e.disabled_reason, c.sequence, c.failing_since, c.last_success_at, c.last_failure_at, c.consecutive_failures,
        e.created_at, e.updated_at`;
export const sealedColumns = `
        e.key_version, e.secret_sealed, case when e.previous_until > now() then e.previous_key_version end as previous_key_version,
        case when e.previous_until > now() then e.previous_sealed end as previous_sealed, e.headers_key_version, e.headers_sealed`;
export const endpointSource = `
      from landfall.webhook_endpoints as e
      join landfall.webhook_cursors as c on c.account_id = e.account_id and c.endpoint_id = e.id`;

export function toSecrets(row: SealedRow): EndpointSecrets {
  return {
    present: { keyVersion: row.keyVersion, sealed: row.secretSealed },
    previous: sealedOf(row.previousKeyVersion, row.previousSealed),
    headers: sealedOf(row.headersKeyVersion, row.headersSealed),
  };
}

function sealedOf(keyVersion: string | null, sealed: Buffer | null): Sealed | null {
  return keyVersion === null || sealed === null ? null : { keyVersion, sealed };
}
