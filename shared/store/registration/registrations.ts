import { awaitingEvents } from '#shared/domain/events-in/pushed-tracking.ts';
import type { ShipmentSnapshot } from '#shared/domain/feed/change.ts';
import { searchWords } from '#shared/domain/lists/search-terms.ts';
import type { Journey, Registration, Warning } from '#shared/domain/record/shipment.ts';
import type { SummaryStatedName } from '#shared/domain/record/stated-fields.ts';
import type { JourneyText } from '#shared/domain/record/stored-record.ts';
import { cadencePeriods } from '#shared/domain/refresh/end-of-journey.ts';
import type { IdentifierEntry } from '#shared/domain/registration/identifiers.ts';
import { noteWrittenChanges } from '../feed/committed-changes.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Common data of new shipments, in each form in which it is stored. */
export type NewJourney = {
  journey: Journey;
  text: JourneyText | null;
  /** The snapshot of their first change, without what is their own. */
  snapshot: Omit<ShipmentSnapshot, OwnField>;
};

/** The fields of a snapshot that the statement takes from the shipment. */
type OwnField = 'id' | 'transportMode' | 'carrier' | 'carrierName' | 'identifiers' | SummaryStatedName;

/** A new shipment with all of its rows. `id` is a new UUID. */
export type NewShipment = {
  id: string;
  registration: Registration;
  carrierName: string;
  connector: string;
  /** Null: the carrier is polled. */
  staleAfterHours: number | null;
  /** Sent once for all shipments with the same object. */
  journey: NewJourney;
  warnings: Warning[];
  entries: readonly IdentifierEntry[];
  traceparent: string | null;
};

/** `hurried`: a client waits for the first status of each, not for a batch or an import of them. */
export type NewShipments = {
  test: boolean;
  shipments: readonly NewShipment[];
  leaseS: number;
  maxLeases: number;
  hurried: boolean;
};

const dayMs = 86_400_000;

/** Two shipments of an account have the same reference. */
export const referenceConstraint = 'shipments_reference_unique';

/**
 * Adds new shipments with their identifiers, polling rows and changes in one statement, and returns the ids of those
 * whose first refresh is leased: polling is due immediately, at epoch 1, and the first rows of each connector are
 * leased while the account has fewer than `maxLeases` due shipments there, leased or waiting, or hurried refreshes if
 * these are hurried: other work does not count against them.
 * Throws a unique violation of `referenceConstraint` when another shipment has one of the references, and of
 * `openIdentifierConstraint` when another open one has one of the numbers. References and identifiers are written in
 * sorted order, so that registrations that share several wait for each other instead of deadlocking.
 */
export async function insertRegistrations(
  tx: Tx,
  accountId: string,
  added: NewShipments,
): Promise<ReadonlySet<string>> {
  if (added.shipments.length === 0) return new Set();
  const journeys = new Map<NewJourney, number>();
  const rows = added.shipments.map(({ registration, journey, ...shipment }) => {
    const journeyPlace = journeys.get(journey) ?? journeys.size + 1;
    journeys.set(journey, journeyPlace);
    const words = searchWords({ ...registration, carrierName: shipment.carrierName, journey: journey.journey });
    return { ...registration, ...shipment, ...words, journeyPlace };
  });
  const common = Array.from(journeys.keys(), ({ journey, text, snapshot }) => ({
    status: journey.status,
    record: journey,
    text: text?.text ?? null,
    shape: text?.shape ?? null,
    freeTimeStates: journey.freeTime?.states ?? [],
    change: { shipment: snapshot, changes: { status: [null, journey.status] } },
  }));
  noteWrittenChanges(tx);
  const inserted = await readRows<{ shipmentId: string }>(tx, {
    name: 'insert-registrations',
    text: `
      with input as materialized (
        select *
        from rows from (
          jsonb_to_recordset($3::jsonb) as (
            id uuid, "transportMode" text, "serviceType" text, carrier text, "carrierName" text, connector text, identifiers jsonb,
            reference text, "references" text[], tags text[], metadata jsonb, "destinationPostalCode" text, warnings jsonb,
            "searchText" text, "searchTerms" text[], entries jsonb, traceparent text, "journeyPlace" integer, "staleAfterHours" smallint
          )
        ) with ordinality as r (
          id, transport_mode, service_type, carrier, carrier_name, connector, identifiers, reference, all_references, tags, metadata,
          destination_postal_code, warnings, search_text, search_terms, entries, traceparent, journey_place, stale_after_hours, place
        )
      ),
      journeys as materialized (
        select *
        from rows from (
          jsonb_to_recordset($7::jsonb) as (
            status text, record jsonb, text text, shape smallint, "freeTimeStates" text[], change jsonb
          )
        ) with ordinality as j (status, record, text, shape, free_time_states, change, place)
      ),
      inserted as (
        insert into landfall.shipments (
          account_id, id, test, transport_mode, service_type, carrier, carrier_name, connector, identifiers, reference, reference_list, tags, metadata,
          destination_postal_code, status, record, warnings, search_text, search_terms, registration_traceparent,
          journey_text, journey_shape, free_time_states
        )
        select $1, i.id, $2, i.transport_mode, i.service_type, i.carrier, i.carrier_name, i.connector, i.identifiers, i.reference,
          case when cardinality(i.all_references) > 1 then i.all_references else '{}' end, i.tags,
          i.metadata, i.destination_postal_code, j.status, j.record, i.warnings, i.search_text, i.search_terms, i.traceparent, j.text, j.shape, j.free_time_states
        from input as i
        join journeys as j on j.place = i.journey_place
        order by i.reference collate "C", i.place
      ),
      named as (
        insert into landfall.shipment_identifiers (
          account_id, shipment_id, key, value, match_value, source, test, transport_mode, carrier
        )
        select $1, c.id, e.key, e.value, e."matchValue", 'client', $2, c.transport_mode, c.carrier
        from input as c
        cross join lateral jsonb_to_recordset(c.entries) as e (key text, value text, "matchValue" text)
        order by c.transport_mode collate "C", c.carrier collate "C", e.key collate "C", e."matchValue" collate "C"
      ),
      live as materialized (
        select c.connector, case
          when $6::boolean then (
            select count(*)
            from (
              select from landfall.polling as p where p.connector = c.connector and p.account_id = $1 and p.hurried limit $5
            ) as counted
          )
          else (
            select count(*)
            from (
              select from landfall.polling as p
              where p.connector = c.connector and p.account_id = $1 and p.next_refresh_at <= now()
              limit $5
            ) as counted
          )
        end as leases
        from (select distinct connector from input) as c
      ),
      claimed as (
        insert into landfall.polling (account_id, shipment_id, connector, next_refresh_at, epoch, lease_until, hurried, state, reason, stale_after_hours,
          ends_at)
        select $1, c.id, c.connector, case when not c.pushed then now() end, 1, case when c.leased then now() + make_interval(secs => $4) end,
          $6 and c.leased, case when c.pushed then '${awaitingEvents.state}' else 'queued' end, case when c.pushed then '${awaitingEvents.reason}' end,
          c.stale_after_hours, case when c.pushed then now() + interval '${cadencePeriods.noUpdatesGivesUpMs / dayMs} days' end
        from (
          select input.id, connector, stale_after_hours, stale_after_hours is not null as pushed,
            stale_after_hours is null and row_number() over (partition by connector order by input.place) + live.leases <= $5 as leased
          from input
          join live using (connector)
        ) as c
        returning shipment_id, lease_until is not null as leased
      ),
      published as (
        insert into landfall.changes (account_id, type, shipment_id, test, data, traceparent)
        select $1, 'shipment.created', i.id, $2, j.change || jsonb_build_object('shipment', (j.change -> 'shipment') || jsonb_build_object(
          'id', i.id, 'transportMode', i.transport_mode, 'carrier', i.carrier, 'carrierName', i.carrier_name,
          'identifiers', i.identifiers, 'reference', i.reference, 'references', i.all_references, 'tags', i.tags
        )), i.traceparent
        from input as i
        join journeys as j on j.place = i.journey_place
        order by i.place
      )
      select shipment_id from claimed where leased`,
    values: [
      accountId,
      added.test,
      JSON.stringify(rows),
      added.leaseS,
      added.maxLeases,
      added.hurried,
      JSON.stringify(common),
    ],
  });
  return new Set(inserted.map((row) => row.shipmentId));
}
