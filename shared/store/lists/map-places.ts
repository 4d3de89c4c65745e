import { createYield } from '#shared/async/yield-event-loop.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { type MapGrouping, type MapPlace, type MapPosition, mapBounds } from '#shared/domain/lists/map-places.ts';
import type { VehiclePosition } from '#shared/domain/positions/vehicle-position.ts';
import type { Shipment, Status } from '#shared/domain/record/shipment.ts';
import { readRows } from '../read-rows.ts';
import {
  isSimulated,
  rowColumns,
  type StoredShipmentRow,
  shipmentTables,
  toShipment,
  vesselJson,
} from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';

/** `isWhole`: the account has no more current shipments than the map counts, so the latest need not be found. */
export type MapScope = {
  accountId: string;
  test: boolean;
  by: MapGrouping;
  statuses: readonly Status[];
  isWhole: boolean;
};

const columns =
  's.id, s.map_key, s.map_destination, s.position, s.transport_mode, s.late_from, s.eta, s.last_event_at, s.vessel_imo';
const isCurrent = 's.account_id = $1 and s.test = $2 and s.archived_at is null and s.status = any($3::text[])';

const whole = `select ${columns} from landfall.shipments as s where ${isCurrent}`;

/** The shipments that the map counts: those with the latest events, then those without any. Each part has its index. */
const latest = `
  (
    select ${columns} from landfall.shipments as s
    where ${isCurrent} and s.last_event_at is not null
    order by s.last_event_at desc, s.id desc
    limit ${mapBounds.scanned}
  )
  union all
  (
    select ${columns} from landfall.shipments as s
    where ${isCurrent} and s.last_event_at is null
    limit ${mapBounds.scanned}
  )
  limit ${mapBounds.scanned}`;

/**
 * The same, with the latest reported position of each: one that a client sent since the last event, or that of the
 * vessel which carries it now, since it left.
 */
const positioned = (isWhole: boolean) => `
  (
    select c.*, case when v.at is null or w.at > v.at then ${reportedJson('w', vesselJson)} else ${reportedJson('v', 'v.vehicle')} end as reported
    from (${isWhole ? whole : latest}) as c
    join landfall.polling as p on p.account_id = $1 and p.shipment_id = c.id
    left join landfall.vehicle_positions as v
      on v.account_id = $1 and v.shipment_id = c.id and v.at >= coalesce(c.last_event_at, '-infinity')
    left join landfall.vessel_positions as w
      on w.imo = c.vessel_imo and w.simulated = ${isSimulated}
        and w.at >= coalesce((c.position ->> 'departedAt')::timestamptz, '-infinity')
  )`;

function extentOf(isWhole: boolean): string {
  return isWhole ? 'all' : 'latest';
}

/** Null without a row. */
function reportedJson(of: string, vehicle: string): string {
  return `case when ${of}.at is not null then jsonb_build_object('lat', ${of}.lat, 'lng', ${of}.lng, 'at', ${of}.at, 'source', ${of}.source, 'vehicle', ${vehicle}) end`;
}

/** Reported positions within about 11 km are one place. */
const reportedKey = `
  '@' || round((c.reported ->> 'lat')::numeric, 1) || '_' || round((c.reported ->> 'lng')::numeric, 1)`;
const keys = {
  place: `case when c.reported is not null then ${reportedKey} else c.map_key end`,
  destination: 'c.map_destination',
} as const;

type PlaceRow = {
  key: string | null;
  position: MapPosition | null;
  reported: VehiclePosition | null;
  mode: TransportMode;
  count: number;
  late: number;
};

/** Shipments by place, the largest places first, and how many were counted and have a place. */
export async function readMapPlaces(
  tx: Tx,
  { accountId, test, by, statuses, isWhole }: MapScope,
): Promise<{ places: MapPlace[]; located: number; counted: number }> {
  const rows = await readRows<PlaceRow>(tx, {
    name: `read-map-places-${by}-${extentOf(isWhole)}`,
    text: `
      select ${keys[by]} as key, any_value(c.position) as position, any_value(c.transport_mode) as mode,
        (array_agg(c.reported order by (c.reported ->> 'at')::timestamptz desc, c.id) filter (where c.reported is not null))[1] as reported,
        count(*) as count, count(*) filter (where c.late_from <= now()) as late
      from ${positioned(isWhole)} as c
      group by 1
      order by count(*) desc, 1`,
    values: [accountId, test, statuses],
  });
  const places: MapPlace[] = [];
  const yieldIfDue = createYield();
  for (const row of rows) {
    const place = placeOf(row, by);
    if (place !== null) places.push(place);
    await yieldIfDue();
  }
  const sum = (some: readonly { count: number }[]) => some.reduce((total, { count }) => total + count, 0);
  return { places, located: sum(places), counted: sum(rows) };
}

/** Null: its place is unknown. */
function placeOf({ key, position, reported, mode, count, late }: PlaceRow, by: MapGrouping): MapPlace | null {
  if (by === 'place' && key !== null && reported !== null) {
    const { lat, lng, vehicle } = reported;
    const from = { key, name: vehicle?.name ?? null, lat, lng };
    const shown = { ...reported, at: new Date(reported.at).toISOString() };
    return { key, from, to: null, isMoving: false, mode, ...noTimes, count, late, reported: shown };
  }
  const isMoving = by === 'place' && position?.moving === true;
  const from = by === 'place' ? position?.from : position?.destination;
  if (key === null || !from) return null;
  const way = isMoving ? { to: position.to, mode, ...timesOf(position) } : { to: null, mode: null, ...noTimes };
  return { key, from, isMoving, ...way, count, late, reported: null };
}

const noTimes = { departedAt: null, arrivesAt: null };

function timesOf({ departedAt = null, arrivesAt = null }: MapPosition): Pick<MapPlace, 'departedAt' | 'arrivesAt'> {
  return { departedAt, arrivesAt };
}

/**
 * The first shipments of these places by ETA. No keys: those without a place. A circle may have 20,000 places: `in` of a
 * subquery looks them up by hash, where a kept plan compares each shipment with all keys of an array, for 39 s.
 */
export async function readMapShipments(
  tx: Tx,
  { accountId, test, by, statuses, isWhole }: MapScope,
  places: readonly string[],
): Promise<Shipment[]> {
  const rows = await readRows<StoredShipmentRow>(tx, {
    name: `read-map-shipments-${by}-${extentOf(isWhole)}`,
    text: `
      select ${rowColumns}
      from ${shipmentTables}
      join (
        select c.id, c.eta
        from ${positioned(isWhole)} as c
        where case when cardinality($4::text[]) = 0 then (${keys[by]}) is null else (${keys[by]}) in (select unnest($4)) end
        order by c.eta nulls last, c.id
        limit ${mapBounds.rows}
      ) as chosen on chosen.id = s.id
      where s.account_id = $1
      order by chosen.eta nulls last, s.id`,
    values: [accountId, test, statuses, places],
  });
  return rows.map(toShipment);
}
