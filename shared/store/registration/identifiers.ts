import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import type { IdentifierEntry, MatchCandidate } from '#shared/domain/registration/identifiers.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Shipments that may conflict have the same mode (test or live), transport mode and carrier. */
export type IdentifierScope = { test: boolean; transportMode: TransportMode; carrier: string };

export const openIdentifierConstraint = 'shipment_identifiers_open_unique';

export type AddedIdentifiers = IdentifierScope & {
  shipmentId: string;
  source: 'client' | 'carrier';
  entries: readonly IdentifierEntry[];
};

/**
 * Adds identifiers in sorted order, so that registrations that share several wait for each other instead of
 * deadlocking. Throws a unique violation of `openIdentifierConstraint` when another open shipment has one of them.
 */
export async function insertIdentifiers(
  tx: Tx,
  accountId: string,
  ...added: readonly AddedIdentifiers[]
): Promise<void> {
  const rows = added.flatMap(({ entries, ...shipment }) => entries.map((entry) => ({ ...shipment, ...entry })));
  if (rows.length === 0) return;
  await tx.query({
    name: 'insert-identifiers',
    text: `
      insert into landfall.shipment_identifiers (
        account_id, shipment_id, key, value, match_value, source, test, transport_mode, carrier
      )
      select $1, e."shipmentId", e.key, e.value, e."matchValue", e.source, e.test, e."transportMode", e.carrier
      from json_to_recordset($2::json) as e ("shipmentId" uuid, key text, value text, "matchValue" text, source text, test boolean,
        "transportMode" text, carrier text)
      order by e.key collate "C", e."matchValue" collate "C"
      on conflict (account_id, shipment_id, key, source, match_value) do nothing`,
    values: [accountId, JSON.stringify(rows)],
  });
}

/** The open shipments whose client supplied one of these numbers, oldest first. */
export async function findOpenShipments(
  tx: Tx,
  accountId: string,
  sought: IdentifierScope & { entries: readonly IdentifierEntry[] },
): Promise<string[]> {
  const rows = await readRows<{ shipmentId: string }>(tx, {
    name: 'find-open-shipments',
    text: `
      select distinct i.shipment_id
      from json_to_recordset($5::json) as e (key text, "matchValue" text)
      cross join lateral (
        select i.shipment_id
        from landfall.shipment_identifiers as i
        where i.account_id = $1 and i.match_value = e."matchValue" and i.key = e.key and i.test = $2 and i.transport_mode = $3
          and i.carrier = $4 and i.open and i.source = 'client'
        offset 0
      ) as i
      order by i.shipment_id`,
    values: [accountId, sought.test, sought.transportMode, sought.carrier, JSON.stringify(sought.entries)],
  });
  return rows.map((row) => row.shipmentId);
}

/**
 * The active shipments that have one of these reusable numbers (container, railcar, equipment) and none of `ownKeys`.
 * The numbers are locked until the transaction ends, because no unique index covers them and only one of several
 * concurrent registrations may create a shipment.
 */
export async function findReusableNumberShipments(
  tx: Tx,
  accountId: string,
  sought: IdentifierScope & { entries: readonly IdentifierEntry[]; ownKeys: readonly IdentifierKey[] },
): Promise<string[]> {
  const { test, transportMode, carrier } = sought;
  await lockReusableNumbers(tx, accountId, {
    test,
    numbers: sought.entries.map((entry) => ({ ...entry, transportMode, carrier })),
  });
  const rows = await readRows<{ shipmentId: string }>(tx, {
    name: 'find-reusable-number-shipments',
    text: `
      select distinct i.shipment_id
      from json_to_recordset($5::json) as e (key text, "matchValue" text)
      cross join lateral (
        select i.shipment_id
        from landfall.shipment_identifiers as i
        where i.account_id = $1 and i.match_value = e."matchValue" and i.key = e.key and i.test = $2 and i.transport_mode = $3
          and i.carrier = $4 and i.open and i.source = 'client'
        offset 0
      ) as i
      where exists (
          select from landfall.shipments as s
          where s.account_id = $1 and s.id = i.shipment_id and s.closed_at is null and s.archived_at is null
        )
        and not exists (
          select from landfall.shipment_identifiers as own
          where own.account_id = $1 and own.shipment_id = i.shipment_id and own.source = 'client' and own.key = any($6)
          offset 0
        )
      order by i.shipment_id`,
    values: [
      accountId,
      sought.test,
      sought.transportMode,
      sought.carrier,
      JSON.stringify(sought.entries),
      sought.ownKeys,
    ],
  });
  return rows.map((row) => row.shipmentId);
}

export type ReusableNumber = { transportMode: TransportMode; carrier: string; key: IdentifierKey; matchValue: string };

/** Keeps one transaction's locks far below the size of Postgres's shared lock table. */
const maxNumberLocks = 50;

/**
 * Locks these reusable numbers until the transaction ends. Many numbers are replaced by one lock for all numbers of the
 * account. Lock before writing anything.
 */
export async function lockReusableNumbers(
  tx: Tx,
  accountId: string,
  locked: { test: boolean; numbers: readonly ReusableNumber[] },
): Promise<void> {
  const { test, numbers } = locked;
  if (numbers.length === 0) return;
  const all = allNumbersLock(accountId, test);
  if (numbers.length > maxNumberLocks) {
    await tx.query({
      name: 'lock-all-reusable-numbers',
      text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
      values: [all],
    });
    return;
  }
  await tx.query({
    name: 'lock-all-reusable-numbers-shared',
    text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))',
    values: [all],
  });
  await tx.query({
    name: 'lock-reusable-numbers',
    text: `
      select pg_advisory_xact_lock(l.lock)
      from (select distinct hashtextextended(t, 0) as lock from unnest($1::text[]) as t order by 1) as l`,
    values: [
      numbers.map(({ transportMode, carrier, key, matchValue }) =>
        JSON.stringify(['number', accountId, test, transportMode, carrier, key, matchValue]),
      ),
    ],
  });
}

function allNumbersLock(accountId: string, test: boolean): string {
  return JSON.stringify(['numbers', accountId, test]);
}

/**
 * A condition on `s` where `$1` is the account: the shipment has one of the candidates, including numbers from the
 * carrier.
 */
export function identifierCondition(
  add: (value: unknown) => string,
  candidates: readonly MatchCandidate[],
  keys: readonly IdentifierKey[],
): string {
  const parts = candidates.map((candidate) => {
    const searched = candidate.keys === null ? keys : keys.filter((key) => candidate.keys?.includes(key));
    const carrier = candidate.carrier === null ? '' : ` and i.carrier = ${add(candidate.carrier)}`;
    return `(i.match_value = ${add(candidate.value)} and i.key = any(${add(searched)}::text[])${carrier})`;
  });
  return `s.id in (select i.shipment_id from landfall.shipment_identifiers as i where i.account_id = $1 and (${parts.join(' or ')}))`;
}
