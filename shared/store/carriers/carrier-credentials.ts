import type { CarrierCredential } from '#shared/domain/carriers/carrier-credential.ts';
import type { CredentialField } from '#shared/domain/carriers/known-connectors.ts';
import type { TrackingReason } from '#shared/domain/record/shipment.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

type CredentialRow = {
  id: string;
  carrier: string;
  fields: CredentialField[];
  version: number;
  updatedAt: string;
  suspendedAt: string | null;
  suspendedReason: TrackingReason | null;
};

const columns = 'id, carrier, fields, version, updated_at, suspended_at, suspended_reason';

function toCredential(row: CredentialRow): CarrierCredential {
  const { suspendedAt: at, suspendedReason: reason } = row;
  return {
    id: row.id,
    carrier: row.carrier,
    fields: row.fields,
    version: row.version,
    updatedAt: row.updatedAt,
    suspension: at === null || reason === null ? null : { at, reason },
  };
}

/** The account's own credentials for all carriers. */
export async function readCarrierCredentials(tx: Tx, accountId: string): Promise<CarrierCredential[]> {
  const rows = await readRows<CredentialRow>(tx, {
    name: 'read-carrier-credentials',
    text: `select ${columns} from landfall.carrier_credentials where account_id = $1 and removed_at is null`,
    values: [accountId],
  });
  return rows.map(toCredential);
}

/**
 * Locks the account's row for a carrier, even if its credentials were removed, until the transaction ends. Returns its
 * id, or null.
 */
export async function lockCarrierCredential(
  tx: Tx,
  accountId: string,
  carrier: string,
): Promise<{ id: string; removed: boolean } | null> {
  const rows = await readRows<{ id: string; removed: boolean }>(tx, {
    name: 'lock-carrier-credential',
    text: `
      select id, removed_at is not null as removed from landfall.carrier_credentials
      where account_id = $1 and carrier = $2
      for update`,
    values: [accountId, carrier],
  });
  return rows[0] ?? null;
}

export type NewCredential = {
  id: string;
  carrier: string;
  connector: string;
  fields: readonly CredentialField[];
  keyVersion: string;
  sealed: Uint8Array;
};

/**
 * Replaces the account's credentials for a carrier and ends their suspension. Null when a concurrent request created
 * the row under another id.
 */
export async function writeCarrierCredential(
  tx: Tx,
  accountId: string,
  credential: NewCredential,
): Promise<CarrierCredential | null> {
  const rows = await readRows<CredentialRow>(tx, {
    name: 'write-carrier-credential',
    text: `
      insert into landfall.carrier_credentials as c (account_id, carrier, id, connector, fields, key_version, sealed)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (account_id, carrier) do update set
        connector = $4, fields = $5, key_version = $6, sealed = $7, version = c.version + 1, updated_at = now(), removed_at = null,
        suspended_at = null, suspended_reason = null, probe_at = null
      where c.id = $3
      returning ${columns}`,
    values: [
      accountId,
      credential.carrier,
      credential.id,
      credential.connector,
      credential.fields,
      credential.keyVersion,
      credential.sealed,
    ],
  });
  return rows[0] === undefined ? null : toCredential(rows[0]);
}

/** Removes the account's credentials for a carrier. False when there was nothing to remove. */
export async function removeCarrierCredential(tx: Tx, accountId: string, carrier: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'remove-carrier-credential',
    text: `
      update landfall.carrier_credentials
      set fields = '{}', key_version = null, sealed = null, version = version + 1, updated_at = now(), removed_at = now(), suspended_at = null,
        suspended_reason = null, probe_at = null
      where account_id = $1 and carrier = $2 and removed_at is null`,
    values: [accountId, carrier],
  });
  return rowCount === 1;
}

/** The instance's credentials for a connector, where they serve this account. */
export type ServingInstance = Omit<CarrierCredential, 'id' | 'carrier' | 'version'> & {
  connector: string;
  simulated: boolean;
};

/** The instance's credentials that serve the transaction's account. Row-level security hides the others. */
export async function readServingInstances(tx: Tx): Promise<ServingInstance[]> {
  const rows = await readRows<CredentialRow & { connector: string; simulated: boolean }>(tx, {
    name: 'read-serving-instances',
    text: 'select connector, simulated, fields, updated_at, suspended_at, suspended_reason from landfall.instance_credentials',
  });
  return rows.map((row) => {
    const { fields, updatedAt, suspension } = toCredential(row);
    return { connector: row.connector, simulated: row.simulated, fields, updatedAt, suspension };
  });
}
