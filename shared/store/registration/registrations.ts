import type { ShipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { IdentifierEntry } from '#shared/domain/registration/identifiers.ts';
import { searchWords } from '#shared/domain/shipments/search-terms.ts';
import type {
  IdentifierKey,
  Identifiers,
  Journey,
  Registration,
  TrackingReason,
  TrackingState,
  Warning,
} from '#shared/domain/shipments/shipment.ts';
import type { JourneyText } from '#shared/domain/shipments/stored-record.ts';
import type { TransportMode } from '#shared/domain/shipments/transport-mode.ts';
import type { Tx } from '../with-account.ts';

/**
 * One number of one row. `own`: it identifies a single shipment of its carrier; otherwise it is equipment, which is
 * reused. `place` is the index of the row.
 */
export type SoughtNumber = {
  place: number;
  transportMode: TransportMode;
  carrier: string;
  key: IdentifierKey;
  matchValue: string;
  own: boolean;
};

/** The state that a transaction finds before it registers rows. Times are the transaction's, by Postgres's clock. */
export type Standing = {
  now: Date;
  /** `now` in whole milliseconds, as stored in columns. */
  createdAt: Date;
  /** The open shipments that each row matches, by index. Rows without a match are absent. */
  matches: Map<number, string[]>;
  /** The shipment that has each reference. Unused references are absent. */
  holders: Map<string, string>;
};

export type Sought = {
  test: boolean;
  numbers: readonly SoughtNumber[];
  ownKeys: readonly IdentifierKey[];
  references: readonly string[];
};

/**
 * Looks up the numbers and references of many rows at once. Each is a separate index lookup (`offset 0` prevents a
 * join): for an account that has just grown, the planner still expects a single row and would read all of them.
 */
export async function findStanding(tx: Tx, accountId: string, sought: Sought): Promise<Standing> {
  const { rows } = await tx.query<{
    now: Date;
    created_at: Date;
    matches: [number, string][] | null;
    holders: [string, string][] | null;
  }>({
    name: 'find-standing',
    text: `
      select now() as now, now()::timestamptz(3) as created_at, (
        select json_agg(json_build_array(m.place, m.shipment_id))
        from (
          select distinct e.place, i.shipment_id
          from json_to_recordset($3::json) as e (
            place integer, "transportMode" text, carrier text, key text, "matchValue" text, own boolean
          )
          cross join lateral (
            select i.shipment_id
            from landfall.shipment_identifiers as i
            where i.account_id = $1 and i.match_value = e."matchValue" and i.key = e.key and i.test = $2
              and i.transport_mode = e."transportMode" and i.carrier = e.carrier and i.open and i.source = 'client'
            offset 0
          ) as i
          where e.own
            or (
              exists (
                select from landfall.shipments as s
                where s.account_id = $1 and s.id = i.shipment_id and s.closed_at is null and s.archived_at is null
              )
              and not exists (
                select from landfall.shipment_identifiers as other
                where other.account_id = $1 and other.shipment_id = i.shipment_id and other.source = 'client' and other.key = any($4)
                offset 0
              )
            )
          order by e.place, i.shipment_id
        ) as m
      ) as matches, (
        select json_agg(json_build_array(r.reference, s.id))
        from unnest($5::text[]) as r (reference)
        cross join lateral (
          select s.id from landfall.shipments as s where s.account_id = $1 and s.test = $2 and s.reference = r.reference offset 0
        ) as s
      ) as holders`,
    values: [accountId, sought.test, JSON.stringify(sought.numbers), sought.ownKeys, sought.references],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no rows');
  const matches = new Map<number, string[]>();
  for (const [place, shipmentId] of row.matches ?? []) matches.set(place, [...(matches.get(place) ?? []), shipmentId]);
  return { now: row.now, createdAt: row.created_at, matches, holders: new Map(row.holders ?? []) };
}

/** What a registration needs to know about the open shipment that it matches. */
export type MatchedShipment = {
  identifiers: Identifiers;
  warnings: Warning[];
  state: TrackingState;
  reason: TrackingReason | null;
};

/** The displayed identifiers, warnings and tracking states of these shipments, by id. */
export async function readMatched(
  tx: Tx,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<Map<string, MatchedShipment>> {
  if (shipmentIds.length === 0) return new Map();
  const { rows } = await tx.query<MatchedShipment & { id: string }>({
    name: 'read-matched',
    text: `
      select s.id, s.identifiers, s.warnings, p.state, p.reason
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      where s.account_id = $1 and s.id = any($2::uuid[])`,
    values: [accountId, shipmentIds],
  });
  return new Map(rows.map(({ id, ...matched }) => [id, matched]));
}

/** What new shipments have in common, in each form in which it is stored. */
export type NewJourney = {
  journey: Journey;
  text: JourneyText | null;
  /** The snapshot of their first change, without what is their own. */
  snapshot: Omit<ShipmentSnapshot, OwnField>;
};

/** The fields of a snapshot that the statement takes from the shipment. */
type OwnField = 'id' | 'transportMode' | 'carrier' | 'carrierName' | 'identifiers' | 'reference' | 'tags';

/** A new shipment with all of its rows. `id` is a new UUID. */
export type NewShipment = {
  id: string;
  registration: Registration;
  carrierName: string;
  connector: string;
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
    change: { shipment: snapshot, changes: { status: [null, journey.status] } },
  }));
  const result = await tx.query<{ shipment_id: string }>({
    name: 'insert-registrations',
    text: `
      with input as materialized (
        select *
        from rows from (
          jsonb_to_recordset($3::jsonb) as (
            id uuid, "transportMode" text, "serviceType" text, carrier text, "carrierName" text, connector text, identifiers jsonb,
            reference text, tags text[], metadata jsonb, "destinationPostalCode" text, warnings jsonb,
            "searchText" text, "searchTerms" text[], entries jsonb, traceparent text, "journeyPlace" integer
          )
        ) with ordinality as r (
          id, transport_mode, service_type, carrier, carrier_name, connector, identifiers, reference, tags, metadata,
          destination_postal_code, warnings, search_text, search_terms, entries, traceparent, journey_place, place
        )
      ),
      journeys as materialized (
        select *
        from rows from (
          jsonb_to_recordset($7::jsonb) as (status text, record jsonb, text text, shape smallint, change jsonb)
        ) with ordinality as j (status, record, text, shape, change, place)
      ),
      inserted as (
        insert into landfall.shipments (
          account_id, id, test, transport_mode, service_type, carrier, carrier_name, connector, identifiers, reference, tags, metadata,
          destination_postal_code, status, record, warnings, search_text, search_terms, registration_traceparent,
          journey_text, journey_shape
        )
        select $1, i.id, $2, i.transport_mode, i.service_type, i.carrier, i.carrier_name, i.connector, i.identifiers, i.reference, i.tags,
          i.metadata, i.destination_postal_code, j.status, j.record, i.warnings, i.search_text, i.search_terms, i.traceparent, j.text, j.shape
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
        insert into landfall.polling (account_id, shipment_id, connector, next_refresh_at, epoch, lease_until, hurried)
        select $1, c.id, c.connector, now(), 1, case when c.leased then now() + make_interval(secs => $4) end, $6 and c.leased
        from (
          select input.id, connector, row_number() over (partition by connector order by input.place) + live.leases <= $5 as leased
          from input
          join live using (connector)
        ) as c
        returning shipment_id, lease_until is not null as leased
      ),
      told as (
        insert into landfall.changes (account_id, type, shipment_id, test, data, traceparent)
        select $1, 'shipment.created', i.id, $2, j.change || jsonb_build_object('shipment', (j.change -> 'shipment') || jsonb_build_object(
          'id', i.id, 'transportMode', i.transport_mode, 'carrier', i.carrier, 'carrierName', i.carrier_name,
          'identifiers', i.identifiers, 'reference', i.reference, 'tags', i.tags
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
  return new Set(result.rows.map((row) => row.shipment_id));
}
