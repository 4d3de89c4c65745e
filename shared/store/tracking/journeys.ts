import { countryOf } from '#shared/domain/events/event-place.ts';
import { localDay } from '#shared/domain/events/local-day.ts';
import { foldName } from '#shared/domain/fold-text.ts';
import type { MapPosition } from '#shared/domain/lists/map-places.ts';
import { mapKeyOf, vesselUnderWay } from '#shared/domain/lists/map-position.ts';
import { searchWords } from '#shared/domain/lists/search-terms.ts';
import { lateFrom, overdueFrom } from '#shared/domain/record/lateness.ts';
import type { Journey, Shipment } from '#shared/domain/record/shipment.ts';
import type { JourneyText } from '#shared/domain/record/stored-record.ts';
import { cadenceOf } from '#shared/domain/refresh/cadence-phase.ts';
import { packJourney } from '../packing/packed-journey.ts';
import { readRows } from '../read-rows.ts';
import {
  rowColumns,
  type StoredShipmentRow,
  shipmentColumns,
  shipmentTables,
  toShipment,
} from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';

/**
 * A newly composed journey of a locked shipment. `closed`: the journey is over, so that reusable numbers (container,
 * railcar, equipment) no longer match it. Without `journeyText`, readers compose it.
 */
export type JourneyUpdate = {
  shipment: Shipment;
  journey: Journey;
  statusChangedAt: string | null;
  closed: boolean;
  /** Position on maps. */
  position: MapPosition;
  journeyText?: JourneyText | null;
  /** False: the record shows nothing that clients would have to read again, so its version stays. Default: true. */
  visible?: boolean;
};

/**
 * Locks shipments until the transaction ends and returns their current state, by id, without the events and the ETA
 * history of their journeys. With `waits` false, shipments locked elsewhere are skipped.
 */
export async function lockShipments(
  tx: Tx,
  accountId: string,
  { ids, waits }: { ids: readonly string[]; waits: boolean },
): Promise<Map<string, Shipment>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows<StoredShipmentRow>(tx, {
    name: waits ? 'lock-shipments' : 'lock-free-shipments',
    text: `
      select ${rowColumns}
      from ${shipmentTables}
      where s.account_id = $1 and s.id = any ($2::uuid[])
      order by s.id
      for no key update of s${waits ? '' : ' skip locked'}`,
    values: [accountId, ids],
  });
  return new Map(rows.map((row) => [row.id, toShipment(row)]));
}

/**
 * The shipments with these ids, by id. Ids that the account doesn't have are absent. `withEvents` false: the events and
 * the ETA history of their journeys are empty.
 */
export async function readShipments(
  tx: Tx,
  accountId: string,
  { ids, withEvents }: { ids: readonly string[]; withEvents: boolean },
): Promise<Map<string, Shipment>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows<StoredShipmentRow>(tx, {
    name: withEvents ? 'read-shipments' : 'read-shipment-rows',
    text: `
      select ${withEvents ? shipmentColumns : rowColumns}
      from ${shipmentTables}
      where s.account_id = $1 and s.id = any ($2::uuid[])`,
    values: [accountId, ids],
  });
  return new Map(rows.map((row) => [row.id, toShipment(row)]));
}

/** Stores newly composed journeys and the columns derived from them. */
export async function updateJourneys(tx: Tx, accountId: string, updates: readonly JourneyUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  await tx.query({
    name: 'update-journeys',
    text: `
      update landfall.shipments as s
      set record = j.record, cadence = j.cadence, status = j.status, status_changed_at = j."statusChangedAt",
        has_exception = j."hasException", eta = j.eta, overdue_from = j."overdueFrom", late_from = j."lateFrom", delay_hours = j."delayHours", origin_unlocode = j."originUnlocode",
        origin_name = j."originName", destination_unlocode = j."destinationUnlocode", destination_name = j."destinationName",
        last_event_at = j."lastEventAt", search_text = j."searchText", closed_at = case when j.closed then coalesce(s.closed_at, now()) end,
        departed_at = j."departedAt", eta_day = j."etaDay", departed_day = j."departedDay", delivered_at = j."deliveredAt", delivered_day = j."deliveredDay", exception_codes = j."exceptionCodes", origin_iata = j."originIata", origin_country = j."originCountry",
        destination_iata = j."destinationIata", destination_country = j."destinationCountry",
        search_terms = j."searchTerms", position = j.position, map_key = j."mapKey", map_destination = j."mapDestination", vessel_imo = j."vesselImo",
        packed_journey = decode(j."packedJourney", 'base64'), journey_text = null,
        journey_shape = j."journeyShape", recompose = false,
        free_time_states = j."freeTimeStates", last_free_day = j."lastFreeDay", free_time_at = j."freeTimeAt",
        updated_at = case when j.visible then now() else s.updated_at end, version = s.version + case when j.visible then 1 else 0 end
      -- json_to_recordset reads nested values about thirty times more slowly.
      from jsonb_to_recordset($2::jsonb) as j (id uuid, record jsonb, cadence jsonb, status text, "statusChangedAt" timestamptz, "hasException" boolean,
        eta timestamptz, "overdueFrom" timestamptz, "lateFrom" timestamptz, "delayHours" float8, "originUnlocode" text, "originName" text, "destinationUnlocode" text, "destinationName" text,
        "lastEventAt" timestamptz, "searchText" text, "searchTerms" text[], position jsonb, "mapKey" text, "mapDestination" text, "vesselImo" text, closed boolean, "departedAt" timestamptz, "exceptionCodes" text[], "originIata" text,
        "originCountry" text, "destinationIata" text, "destinationCountry" text, "etaDay" date, "departedDay" date, "deliveredAt" timestamptz, "deliveredDay" date, "packedJourney" text, "journeyShape" smallint, "freeTimeStates" text[], "lastFreeDay" date,
        "freeTimeAt" timestamptz, visible boolean)
      -- The array parameter keeps the planner from reading all shipments of an account that has just grown, for which
      -- it still expects a single row.
      where s.account_id = $1 and s.id = j.id and s.id = any ($3::uuid[])`,
    values: [accountId, JSON.stringify(updates.map(columnsOf)), updates.map(({ shipment }) => shipment.id)],
  });
}

/** Leaves a record that can't be composed again as it is, until an event changes it. */
export async function keepRecord(tx: Tx, accountId: string, shipmentId: string): Promise<void> {
  await tx.query({
    name: 'keep-record',
    text: 'update landfall.shipments set recompose = false where account_id = $1 and id = $2',
    values: [accountId, shipmentId],
  });
}

function columnsOf(update: JourneyUpdate) {
  const { shipment, journey, statusChangedAt, closed, position, journeyText, visible = true } = update;
  const eta = journey.eta?.time ?? null;
  const departure = journey.departure.actual;
  const delivery = journey.delivery.actual;
  const { record, packedJourney, journeyShape } = packJourney(journey, journeyText ?? null);
  return {
    visible,
    id: shipment.id,
    record,
    packedJourney: packedJourney?.toString('base64') ?? null,
    journeyShape,
    cadence: cadenceOf(journey),
    status: journey.status,
    statusChangedAt,
    hasException: journey.hasException,
    eta: eta?.at ?? null,
    etaDay: eta && localDay(eta),
    overdueFrom: overdueFrom(journey),
    lateFrom: lateFrom(journey, shipment.transportMode),
    delayHours: journey.delayHours,
    originUnlocode: journey.origin?.unlocode ?? null,
    originName: nameOf(journey.origin),
    destinationUnlocode: journey.destination?.unlocode ?? null,
    destinationName: nameOf(journey.destination),
    lastEventAt: journey.latestEvent?.time.at ?? null,
    ...searchWords({ ...shipment, journey }),
    position,
    mapKey: mapKeyOf(position, shipment.transportMode),
    mapDestination: position.destination?.key ?? null,
    vesselImo: vesselUnderWay(journey),
    closed,
    departedAt: departure?.at ?? null,
    departedDay: departure && localDay(departure),
    deliveredAt: delivery?.at ?? null,
    deliveredDay: delivery && localDay(delivery),
    exceptionCodes: [
      ...new Set(
        journey.exceptions.filter((exception) => exception.resolvedAt === null).map((exception) => exception.code),
      ),
    ],
    originIata: journey.origin?.iata ?? null,
    originCountry: journey.origin && countryOf(journey.origin),
    destinationIata: journey.destination?.iata ?? null,
    destinationCountry: journey.destination && countryOf(journey.destination),
    freeTimeStates: journey.freeTime?.states ?? [],
    lastFreeDay: journey.freeTime?.lastFreeDay ?? null,
    freeTimeAt: journey.freeTime?.nextAssessmentAt ?? null,
  };
}

function nameOf(place: Journey['origin']): string | null {
  return place?.name == null ? null : foldName(place.name);
}
