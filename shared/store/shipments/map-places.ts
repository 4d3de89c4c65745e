import { type MapGrouping, type MapPlace, type MapPosition, mapBounds } from '#shared/domain/shipments/map-places.ts';
import type { Shipment, Status } from '#shared/domain/shipments/shipment.ts';
import type { TransportMode } from '#shared/domain/shipments/transport-mode.ts';
import type { Tx } from '../with-account.ts';
import { rowColumns, type ShipmentRow, shipmentTables, toShipment } from './shipment-row.ts';

export type MapScope = { accountId: string; test: boolean; by: MapGrouping; statuses: readonly Status[] };

const keyOf = { place: 'map_key', destination: 'map_destination' } as const;

const columns = 's.id, s.map_key, s.map_destination, s.position, s.transport_mode, s.late_from, s.eta';
const isCurrent = 's.account_id = $1 and s.test = $2 and s.archived_at is null and s.status = any($3::text[])';

/** The shipments that the map counts: those with the latest events, then those without any. Each part has its index. */
const scanned = `
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

/** Shipments by place, the largest places first, and how many were counted and have a place. */
export async function readMapPlaces(
  tx: Tx,
  { accountId, test, by, statuses }: MapScope,
): Promise<{ places: MapPlace[]; located: number; counted: number }> {
  const key = keyOf[by];
  const { rows } = await tx.query<{
    key: string | null;
    position: MapPosition | null;
    mode: TransportMode;
    count: number;
    late: number;
  }>({
    name: `read-map-places-${by}`,
    text: `
      select c.${key} as key, any_value(c.position) as position, any_value(c.transport_mode) as mode,
        count(*) as count, count(*) filter (where c.late_from <= now()) as late
      from (${scanned}) as c
      group by c.${key}
      order by count(*) desc, c.${key}`,
    values: [accountId, test, statuses],
  });
  const known = rows.flatMap(({ key: at, position, mode, count, late }): MapPlace[] => {
    const isMoving = by === 'place' && position?.moving === true;
    const from = by === 'place' ? position?.from : position?.destination;
    if (at === null || !from) return [];
    return [{ key: at, from, to: isMoving ? position.to : null, isMoving, mode: isMoving ? mode : null, count, late }];
  });
  const places = known.slice(0, mapBounds.places);
  const sum = (some: readonly { count: number }[]) => some.reduce((total, { count }) => total + count, 0);
  return { places, located: sum(places), counted: sum(rows) };
}

/** The first shipments of these places by ETA. No keys: those without a place. */
export async function readMapShipments(
  tx: Tx,
  { accountId, test, by, statuses }: MapScope,
  keys: readonly string[],
): Promise<Shipment[]> {
  const key = keyOf[by];
  const { rows } = await tx.query<ShipmentRow>({
    name: `read-map-shipments-${by}`,
    text: `
      select ${rowColumns}
      from ${shipmentTables}
      join (
        select c.id, c.eta
        from (${scanned}) as c
        where case when cardinality($4::text[]) = 0 then c.${key} is null else c.${key} = any($4) end
        order by c.eta nulls last, c.id
        limit ${mapBounds.rows}
      ) as chosen on chosen.id = s.id
      where s.account_id = $1
      order by chosen.eta nulls last, s.id`,
    values: [accountId, test, statuses, keys],
  });
  return rows.map(toShipment);
}
