import type { Suspension } from '#shared/domain/carriers/carrier-credential.ts';
import type { TrackingReason } from '#shared/domain/record/shipment.ts';
import { readRows } from '../../read-rows.ts';
import type { Tx } from '../../with-account.ts';

/** An account's encrypted credentials. Only a worker decrypts them. */
export type SealedCredential = {
  accountId: string;
  carrier: string;
  id: string;
  connector: string;
  version: number;
  keyVersion: string;
  sealed: Buffer;
  suspension: Suspension | null;
  /** Milliseconds until one refresh may retry suspended credentials. */
  probeInMs: number | null;
};

type SealedRow = {
  accountId: string;
  carrier: string;
  id: string;
  connector: string;
  version: number;
  keyVersion: string;
  sealed: Buffer;
  suspendedAt: string | null;
  suspendedReason: TrackingReason | null;
  probeInMs: number | null;
};

const columns = `account_id, carrier, id, connector, version, key_version, sealed, suspended_at, suspended_reason,
        (extract(epoch from probe_at - now()) * 1000)::float8 as probe_in_ms`;

function toSealed(row: SealedRow): SealedCredential {
  const { suspendedAt: at, suspendedReason: reason } = row;
  return {
    accountId: row.accountId,
    carrier: row.carrier,
    id: row.id,
    connector: row.connector,
    version: row.version,
    keyVersion: row.keyVersion,
    sealed: row.sealed,
    suspension: at === null || reason === null ? null : { at, reason },
    probeInMs: row.probeInMs,
  };
}

/** The account's own credentials for a carrier, or null. */
export async function readSealedCredential(
  tx: Tx,
  accountId: string,
  carrier: string,
): Promise<SealedCredential | null> {
  const rows = await readRows<SealedRow>(tx, {
    name: 'read-sealed-credential',
    text: `select ${columns} from landfall.carrier_credentials where account_id = $1 and carrier = $2 and sealed is not null`,
    values: [accountId, carrier],
  });
  return rows[0] === undefined ? null : toSealed(rows[0]);
}

/** Stored credentials in the version that was used. */
export type CredentialVersion = { id: string; version: number };

/** The account and carrier of a set of credentials. */
export type CredentialOwner = { accountId: string; carrier: string };

/**
 * Suspends active credentials of this version and returns their owner. Null when they were changed or suspended
 * concurrently.
 */
export async function suspendStoredCredential(
  tx: Tx,
  { id, version }: CredentialVersion,
  suspension: { reason: TrackingReason; probeS: number },
): Promise<CredentialOwner | null> {
  const rows = await readRows<{ accountId: string; carrier: string }>(tx, {
    name: 'suspend-stored-credential',
    text: `
      update landfall.carrier_credentials
      set suspended_at = now(), suspended_reason = $3, probe_at = now() + make_interval(secs => $4)
      where id = $1 and version = $2 and suspended_at is null
      returning account_id, carrier`,
    values: [id, version, suspension.reason, suspension.probeS],
  });
  return ownerOf(rows[0]);
}

/**
 * Reserves the one refresh that may retry suspended credentials now. False when another worker has it, or it isn't time
 * yet.
 */
export async function takeStoredProbe(tx: Tx, { id, version }: CredentialVersion, probeS: number): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'take-stored-probe',
    text: `
      update landfall.carrier_credentials
      set probe_at = now() + make_interval(secs => $3)
      where id = $1 and version = $2 and probe_at <= now()`,
    values: [id, version, probeS],
  });
  return rowCount === 1;
}

/** Ends a suspension and returns the owner. Null when the credentials were changed or reinstated concurrently. */
export async function liftStoredSuspension(
  tx: Tx,
  { id, version }: CredentialVersion,
): Promise<CredentialOwner | null> {
  const rows = await readRows<{ accountId: string; carrier: string }>(tx, {
    name: 'lift-stored-suspension',
    text: `
      update landfall.carrier_credentials
      set suspended_at = null, suspended_reason = null, probe_at = null
      where id = $1 and version = $2 and suspended_at is not null
      returning account_id, carrier`,
    values: [id, version],
  });
  return ownerOf(rows[0]);
}

/** Credentials encrypted with a key other than `keyVersion`, up to `limit` after an id, ordered by id. */
export async function readOtherwiseSealed(
  tx: Tx,
  search: { keyVersion: string; after: string | null; limit: number },
): Promise<SealedCredential[]> {
  const rows = await readRows<SealedRow>(tx, {
    name: 'read-otherwise-sealed',
    text: `
      select ${columns} from landfall.carrier_credentials
      where sealed is not null and key_version <> $1 and ($2::uuid is null or id > $2)
      order by id
      limit $3`,
    values: [search.keyVersion, search.after, search.limit],
  });
  return rows.map(toSealed);
}

/** Stores the same secret encrypted with another key. False when it was changed concurrently. */
export async function writeResealed(
  tx: Tx,
  was: SealedCredential,
  now: { keyVersion: string; sealed: Buffer },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'write-resealed-credential',
    text: `
      update landfall.carrier_credentials set key_version = $4, sealed = $5
      where id = $1 and version = $2 and key_version = $3 and sealed is not null`,
    values: [was.id, was.version, was.keyVersion, now.keyVersion, now.sealed],
  });
  return rowCount === 1;
}

function ownerOf(row: { accountId: string; carrier: string } | undefined): CredentialOwner | null {
  return row === undefined ? null : { accountId: row.accountId, carrier: row.carrier };
}
