import type { ChangeData } from '#shared/domain/feed/change.ts';
import { searchText } from '#shared/domain/shipments/search-text.ts';
import type { Journey, Registration, Warning } from '#shared/domain/shipments/shipment.ts';
import type { JourneyText } from '#shared/domain/shipments/stored-record.ts';
import type { Tx } from '../with-account.ts';
import type { IdentifierEntry } from './identifiers.ts';

/** A new shipment with everything that is written about it. `id` is a new uuid. */
export type NewShipment = {
  id: string;
  registration: Registration;
  carrierName: string;
  connector: string;
  journey: Journey;
  warnings: Warning[];
  entries: readonly IdentifierEntry[];
  /** What the feed tells of it. */
  change: ChangeData;
  traceparent: string | null;
  journeyText: JourneyText | null;
};

export type NewShipments = { test: boolean; shipments: readonly NewShipment[]; leaseS: number; maxLeases: number };

/**
 * Adds new shipments with their identifiers, polling rows and changes, all in one statement. A row whose reference another shipment has is
 * left out of the result, which tells of each other one whether its first refresh is leased: polling is due at once, at epoch 1, and the first
 * of each connector are leased while the account has fewer than `maxLeases` live leases there. Throws a unique violation of
 * `openIdentifierConstraint` when another open shipment has one of the numbers.
 *
 * References and identifiers are written in one sorted order, so that registrations which share several wait for each other instead of
 * deadlocking.
 */
export async function insertRegistrations(
  tx: Tx,
  accountId: string,
  added: NewShipments,
): Promise<Map<string, { leased: boolean }>> {
  if (added.shipments.length === 0) return new Map();
  const rows = added.shipments.map(({ registration, journey, journeyText, ...shipment }) => ({
    ...registration,
    ...shipment,
    status: journey.status,
    record: journey,
    journeyText: journeyText?.text ?? null,
    journeyShape: journeyText?.shape ?? null,
    searchText: searchText({ ...registration, carrierName: shipment.carrierName, journey }),
  }));
  const result = await tx.query<{ shipment_id: string; leased: boolean }>({
    name: 'insert-registrations',
    text: `
      with input as materialized (
        select *
        from rows from (
          jsonb_to_recordset($3::jsonb) as (
            id uuid, "transportMode" text, "serviceType" text, carrier text, "carrierName" text, connector text, identifiers jsonb,
            reference text, tags text[], metadata jsonb, "destinationPostalCode" text, status text, record jsonb, warnings jsonb,
            "searchText" text, entries jsonb, change jsonb, traceparent text,
            "journeyText" text, "journeyShape" smallint
          )
        ) with ordinality as r (
          id, transport_mode, service_type, carrier, carrier_name, connector, identifiers, reference, tags, metadata,
          destination_postal_code, status, record, warnings, search_text, entries, change, traceparent, journey_text, journey_shape, place
        )
      ),
      inserted as (
        insert into landfall.shipments (
          account_id, id, test, transport_mode, service_type, carrier, carrier_name, connector, identifiers, reference, tags, metadata,
          destination_postal_code, status, record, warnings, search_text, registration_traceparent,
          journey_text, journey_shape
        )
        select $1, i.id, $2, i.transport_mode, i.service_type, i.carrier, i.carrier_name, i.connector, i.identifiers, i.reference, i.tags,
          i.metadata, i.destination_postal_code, i.status, i.record, i.warnings, i.search_text, i.traceparent, i.journey_text, i.journey_shape
        from input as i
        order by i.reference collate "C", i.place
        on conflict (account_id, test, reference) where reference is not null do nothing
        returning id
      ),
      created as materialized (
        select i.id, i.connector, i.place, i.transport_mode, i.carrier, i.entries, i.change, i.traceparent
        from inserted
        join input as i using (id)
      ),
      named as (
        insert into landfall.shipment_identifiers (
          account_id, shipment_id, key, value, match_value, source, test, transport_mode, carrier
        )
        select $1, c.id, e.key, e.value, e."matchValue", 'client', $2, c.transport_mode, c.carrier
        from created as c
        cross join lateral jsonb_to_recordset(c.entries) as e (key text, value text, "matchValue" text)
        order by c.transport_mode collate "C", c.carrier collate "C", e.key collate "C", e."matchValue" collate "C"
      ),
      live as materialized (
        select c.connector, (
          select count(*)
          from (
            select from landfall.polling as p
            where p.connector = c.connector and p.account_id = $1 and p.lease_until > now()
            limit $5
          ) as counted
        ) as leases
        from (select distinct connector from created) as c
      ),
      claimed as (
        insert into landfall.polling (account_id, shipment_id, connector, next_refresh_at, epoch, lease_until)
        select $1, c.id, c.connector, now(), 1,
          case
            when row_number() over (partition by c.connector order by c.place) + live.leases <= $5 then now() + make_interval(secs => $4)
          end
        from created as c
        join live using (connector)
        returning shipment_id, lease_until is not null as leased
      ),
      told as (
        insert into landfall.changes (account_id, type, shipment_id, test, data, traceparent)
        select $1, 'shipment.created', c.id, $2, c.change, c.traceparent
        from created as c
        order by c.place
      )
      select shipment_id, leased from claimed`,
    values: [accountId, added.test, JSON.stringify(rows), added.leaseS, added.maxLeases],
  });
  return new Map(result.rows.map((row) => [row.shipment_id, { leased: row.leased }]));
}
