import { searchText } from '#shared/domain/search-text.ts';
import type { IdentifierKey, Identifiers, Journey, Registration, Warning } from '#shared/domain/shipment.ts';
import type { TransportMode } from '#shared/domain/transport-mode.ts';
import type { Tx } from './with-account.ts';

/** One number of one row. `own`: it names one shipment of its carrier; else it is equipment, which sails again. `place` is the row's. */
export type SoughtNumber = {
  place: number;
  transportMode: TransportMode;
  carrier: string;
  key: IdentifierKey;
  matchValue: string;
  own: boolean;
};

/** Which open shipments each of many rows is about, by place; a place without one is missing. */
export async function findMatches(
  tx: Tx,
  accountId: string,
  sought: { test: boolean; numbers: readonly SoughtNumber[]; ownKeys: readonly IdentifierKey[] },
): Promise<Map<number, string[]>> {
  const { rows } = await tx.query<{ place: number; shipment_id: string }>({
    name: 'find-matches',
    text: `
      select distinct e.place, i.shipment_id
      from json_to_recordset($3::json) as e (
        place integer, "transportMode" text, carrier text, key text, "matchValue" text, own boolean
      )
      join landfall.shipment_identifiers as i on i.account_id = $1 and i.match_value = e."matchValue" and i.key = e.key
      where i.test = $2 and i.transport_mode = e."transportMode" and i.carrier = e.carrier and i.open and i.source = 'client'
        and (
          e.own
          or (
            exists (
              select from landfall.shipments as s
              where s.account_id = $1 and s.id = i.shipment_id and s.closed_at is null and s.archived_at is null
            )
            and not exists (
              select from landfall.shipment_identifiers as other
              where other.account_id = $1 and other.shipment_id = i.shipment_id and other.source = 'client' and other.key = any($4)
            )
          )
        )
      order by e.place, i.shipment_id`,
    values: [accountId, sought.test, JSON.stringify(sought.numbers), sought.ownKeys],
  });
  const matches = new Map<number, string[]>();
  for (const { place, shipment_id } of rows) matches.set(place, [...(matches.get(place) ?? []), shipment_id]);
  return matches;
}

/** Which shipment has each of these references; references that are free are missing. */
export async function findReferenceHolders(
  tx: Tx,
  accountId: string,
  sought: { test: boolean; references: readonly string[] },
): Promise<Map<string, string>> {
  if (sought.references.length === 0) return new Map();
  const { rows } = await tx.query<{ id: string; reference: string }>({
    name: 'find-reference-holders',
    text: 'select id, reference from landfall.shipments where account_id = $1 and test = $2 and reference = any($3::text[])',
    values: [accountId, sought.test, sought.references],
  });
  return new Map(rows.map((row) => [row.reference, row.id]));
}

/** The displayed identifiers of these shipments. */
export async function readIdentifiersOf(tx: Tx, accountId: string, shipmentIds: readonly string[]): Promise<Map<string, Identifiers>> {
  if (shipmentIds.length === 0) return new Map();
  const { rows } = await tx.query<{ id: string; identifiers: Identifiers }>({
    name: 'read-identifiers-of',
    text: 'select id, identifiers from landfall.shipments where account_id = $1 and id = any($2::uuid[])',
    values: [accountId, shipmentIds],
  });
  return new Map(rows.map((row) => [row.id, row.identifiers]));
}

export type BulkShipment = {
  registration: Registration;
  carrierName: string;
  connector: string;
  journey: Journey;
  warnings: Warning[];
};

export type InsertedShipment = { place: number; id: string; createdAt: string };

/** Adds many shipments in one statement, ids in their order. A row whose reference another shipment has is left out of the result. */
export async function insertShipments(
  tx: Tx,
  accountId: string,
  added: { test: boolean; traceparent: string | null; shipments: readonly BulkShipment[] },
): Promise<InsertedShipment[]> {
  if (added.shipments.length === 0) return [];
  const rows = added.shipments.map(({ registration, carrierName, connector, journey, warnings }, place) => ({
    ...registration,
    place,
    carrierName,
    connector,
    status: journey.status,
    record: journey,
    warnings,
    searchText: searchText({ ...registration, carrierName, journey }),
  }));
  const result = await tx.query<{ place: number; id: string; created_at: Date }>({
    name: 'insert-shipments',
    text: `
      with input as materialized (
        select uuidv7() as id, e.*
        from (
          select *
          from json_to_recordset($4::json) as r (
            place integer, "transportMode" text, "serviceType" text, carrier text, "carrierName" text, connector text, identifiers jsonb,
            reference text, tags text[], metadata jsonb, "destinationPostalCode" text, status text, record jsonb, warnings jsonb,
            "searchText" text
          )
          order by r.place
        ) as e
      ),
      inserted as (
        insert into landfall.shipments (
          account_id, id, test, transport_mode, service_type, carrier, carrier_name, connector, identifiers, reference, tags, metadata,
          destination_postal_code, status, record, warnings, search_text, registration_traceparent
        )
        select $1, i.id, $2, i."transportMode", i."serviceType", i.carrier, i."carrierName", i.connector, i.identifiers, i.reference, i.tags,
          i.metadata, i."destinationPostalCode", i.status, i.record, i.warnings, i."searchText", $3
        from input as i
        order by i.reference collate "C", i.place
        on conflict (account_id, test, reference) where reference is not null do nothing
        returning id, created_at
      )
      select i.place, inserted.id, inserted.created_at
      from inserted
      join input as i using (id)
      order by i.place`,
    values: [accountId, added.test, added.traceparent, JSON.stringify(rows)],
  });
  return result.rows.map((row) => ({ place: row.place, id: row.id, createdAt: row.created_at.toISOString() }));
}

export type BulkIdentifier = {
  shipmentId: string;
  transportMode: TransportMode;
  carrier: string;
  key: IdentifierKey;
  value: string;
  matchValue: string;
};

/**
 * Adds the identifiers of many new shipments in one sorted order, so that registrations which share several wait for each other instead of
 * deadlocking. Throws a unique violation when another open shipment has one of them.
 */
export async function insertManyIdentifiers(
  tx: Tx,
  accountId: string,
  added: { test: boolean; identifiers: readonly BulkIdentifier[] },
): Promise<void> {
  if (added.identifiers.length === 0) return;
  await tx.query({
    name: 'insert-many-identifiers',
    text: `
      insert into landfall.shipment_identifiers (
        account_id, shipment_id, key, value, match_value, source, test, transport_mode, carrier
      )
      select $1, e."shipmentId", e.key, e.value, e."matchValue", 'client', $2, e."transportMode", e.carrier
      from json_to_recordset($3::json) as e (
        "shipmentId" uuid, "transportMode" text, carrier text, key text, value text, "matchValue" text
      )
      order by e."transportMode" collate "C", e.carrier collate "C", e.key collate "C", e."matchValue" collate "C"`,
    values: [accountId, added.test, JSON.stringify(added.identifiers)],
  });
}

export type ManyFirstClaims = { claims: readonly { shipmentId: string; connector: string }[]; leaseS: number; maxLeases: number };

export type FirstClaimed = { shipmentId: string; leased: boolean; nextCheckAt: string };

/** Adds the polling rows of many new shipments as `insertPolling` adds one: the first of each connector are leased, up to `maxLeases` in all. */
export async function insertManyPolling(tx: Tx, accountId: string, added: ManyFirstClaims): Promise<FirstClaimed[]> {
  if (added.claims.length === 0) return [];
  const claims = added.claims.map((claim, place) => ({ ...claim, place }));
  const { rows } = await tx.query<{ shipment_id: string; leased: boolean; next_check_at: Date }>({
    name: 'insert-many-polling',
    text: `
      with input as materialized (
        select e."shipmentId", e.connector, row_number() over (partition by e.connector order by e.place) as turn
        from json_to_recordset($2::json) as e ("shipmentId" uuid, connector text, place integer)
      ),
      live as materialized (
        select c.connector, (
          select count(*)
          from (
            select from landfall.polling as p
            where p.connector = c.connector and p.account_id = $1 and p.lease_until > now()
            limit $4
          ) as counted
        ) as leases
        from (select distinct connector from input) as c
      )
      insert into landfall.polling (account_id, shipment_id, connector, next_check_at, epoch, lease_until)
      select $1, i."shipmentId", i.connector, now(), 1, case when i.turn + live.leases <= $4 then now() + make_interval(secs => $3) end
      from input as i
      join live using (connector)
      returning shipment_id, lease_until is not null as leased, next_check_at`,
    values: [accountId, JSON.stringify(claims), added.leaseS, added.maxLeases],
  });
  return rows.map((row) => ({ shipmentId: row.shipment_id, leased: row.leased, nextCheckAt: row.next_check_at.toISOString() }));
}
