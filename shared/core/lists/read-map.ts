import type { Caller } from '#shared/domain/caller.ts';
import {
  type CityPoint,
  type Locate,
  type MapGrouping,
  type MapPlaces,
  mapBounds,
  type NamedPlace,
} from '#shared/domain/lists/map-places.ts';
import { type Shipment, type Status, statuses } from '#shared/domain/record/shipment.ts';
import { approximatePoint } from '#shared/places/find-city.ts';
import { nowhere } from '#shared/places/find-place.ts';
import { readKeptCounts } from '#shared/store/lists/kept-counts.ts';
import { readMapPlaces, readMapShipments } from '#shared/store/lists/map-places.ts';
import { type Tx, withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

const closed: readonly Status[] = ['delivered', 'returned', 'failed', 'cancelled'];
const current = statuses.filter((status) => !closed.includes(status));

/** Locates places that are only named, for maps. Null: unknown. Records never have these coordinates. */
export const locateOnMap: Locate = approximatePoint;

/** Lists the named places that a map can draw. */
export function listCityPoints(places: readonly NamedPlace[]): CityPoint[] {
  return places.flatMap((place) => {
    const point = locateOnMap({ ...nowhere, ...place });
    return point === null ? [] : [{ ...place, ...point }];
  });
}

/** Counts the current shipments per place, and per way between two places. */
export function readMap(ctx: CoreContext, caller: Caller, by: MapGrouping): Promise<MapPlaces> {
  const { accountId, test } = caller;
  return withAccountReads(ctx.store, accountId, async (tx) => {
    const total = await countCurrent(tx, caller);
    const isWhole = total <= mapBounds.scanned;
    return { ...(await readMapPlaces(tx, { accountId, test, by, statuses: current, isWhole })), total };
  });
}

async function countCurrent(tx: Tx, { accountId, test }: Caller): Promise<number> {
  const kept = await readKeptCounts(tx, { accountId, test, filter: { status: current } });
  return kept.reduce((sum, { counted }) => sum + counted, 0);
}

/** The first shipments of some places of the map. No keys: those without a place. */
export function listMapShipments(
  ctx: CoreContext,
  caller: Caller,
  { by, keys }: { by: MapGrouping; keys: readonly string[] },
): Promise<Shipment[]> {
  const { accountId, test } = caller;
  return withAccountReads(ctx.store, accountId, async (tx) => {
    const isWhole = (await countCurrent(tx, caller)) <= mapBounds.scanned;
    return readMapShipments(tx, { accountId, test, by, statuses: current, isWhole }, keys);
  });
}
