import type { Suspension } from '#shared/domain/carriers/carrier-credential.ts';
import type { CredentialField } from '#shared/domain/carriers/known-connectors.ts';
import type { TrackingReason } from '#shared/domain/record/shipment.ts';
import { readRows } from '../../read-rows.ts';
import type { Tx } from '../../with-account.ts';

/** The configured credentials for a connector. The fingerprint identifies the settings. */
export type InstanceCredential = {
  connector: string;
  simulated: boolean;
  fingerprint: string;
  accounts: readonly string[];
  fields: readonly CredentialField[];
};

/** The state of the instance's credentials. */
export type InstanceState = {
  fingerprint: string;
  version: number;
  suspension: Suspension | null;
  /** Milliseconds until one refresh may retry suspended credentials. */
  probeInMs: number | null;
};

/**
 * Stores the configured credentials: removes those that are no longer configured, and ends the suspension of changed
 * ones. Returns the connectors whose credentials are new or changed.
 */
export async function announceInstanceCredentials(
  tx: Tx,
  credentials: readonly InstanceCredential[],
): Promise<string[]> {
  await tx.query({
    name: 'delete-instance-credentials',
    text: 'delete from landfall.instance_credentials where connector <> all ($1::text[])',
    values: [credentials.map(({ connector }) => connector)],
  });
  const rows = await readRows<{ connector: string }>(tx, {
    name: 'announce-instance-credentials',
    text: `
      insert into landfall.instance_credentials as i (connector, simulated, fingerprint, accounts, fields)
      select n.connector, n.simulated, n.fingerprint, n.accounts, n.fields
      from json_to_recordset($1::json) as n (connector text, simulated boolean, fingerprint text, accounts uuid[], fields text[])
      order by n.connector
      on conflict (connector) do update set
        simulated = excluded.simulated, fingerprint = excluded.fingerprint, accounts = excluded.accounts, fields = excluded.fields,
        version = i.version + 1, updated_at = now(), suspended_at = null, suspended_reason = null, probe_at = null
      where i.fingerprint <> excluded.fingerprint or i.accounts <> excluded.accounts
      returning i.connector`,
    values: [JSON.stringify(credentials)],
  });
  return rows.map(({ connector }) => connector);
}

/** The state of the instance's credentials, by connector. */
export async function readInstanceStates(tx: Tx): Promise<Map<string, InstanceState>> {
  const rows = await readRows<{
    connector: string;
    fingerprint: string;
    version: number;
    suspendedAt: string | null;
    suspendedReason: TrackingReason | null;
    probeInMs: number | null;
  }>(tx, {
    name: 'read-instance-states',
    text: `
      select connector, fingerprint, version, suspended_at, suspended_reason, (extract(epoch from probe_at - now()) * 1000)::float8 as probe_in_ms
      from landfall.instance_credentials`,
  });
  return new Map(
    rows.map(({ connector, fingerprint, version, suspendedAt: at, suspendedReason: reason, probeInMs }) => [
      connector,
      {
        fingerprint,
        version,
        suspension: at === null || reason === null ? null : { at, reason },
        probeInMs,
      },
    ]),
  );
}

/** Credentials of the instance in the version that was used. */
export type InstanceVersion = { connector: string; version: number };

/** False when they were changed or suspended concurrently. */
export async function suspendInstanceCredential(
  tx: Tx,
  { connector, version }: InstanceVersion,
  suspension: { reason: TrackingReason; probeS: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'suspend-instance-credential',
    text: `
      update landfall.instance_credentials
      set suspended_at = now(), suspended_reason = $3, probe_at = now() + make_interval(secs => $4)
      where connector = $1 and version = $2 and suspended_at is null`,
    values: [connector, version, suspension.reason, suspension.probeS],
  });
  return rowCount === 1;
}

/**
 * Reserves the one refresh that may retry suspended credentials now. False when another worker has it, or it isn't time
 * yet.
 */
export async function takeInstanceProbe(
  tx: Tx,
  { connector, version }: InstanceVersion,
  probeS: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'take-instance-probe',
    text: `
      update landfall.instance_credentials
      set probe_at = now() + make_interval(secs => $3)
      where connector = $1 and version = $2 and probe_at <= now()`,
    values: [connector, version, probeS],
  });
  return rowCount === 1;
}

/** False when they were changed or reinstated concurrently. */
export async function liftInstanceSuspension(tx: Tx, { connector, version }: InstanceVersion): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'lift-instance-suspension',
    text: `
      update landfall.instance_credentials
      set suspended_at = null, suspended_reason = null, probe_at = null
      where connector = $1 and version = $2 and suspended_at is not null`,
    values: [connector, version],
  });
  return rowCount === 1;
}
