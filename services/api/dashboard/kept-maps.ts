import { LRUCache } from 'lru-cache';
import { singleFlight } from '#shared/async/single-flight.ts';
import { createYield, takeTurn } from '#shared/async/yield-event-loop.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { readMap } from '#shared/core/lists/read-map.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { MapGrouping, MapPlace, MapPlaces } from '#shared/domain/lists/map-places.ts';
import { type MapSpot, spotOf } from '#shared/route-map/map-spots.ts';

/** All current shipments of an account with their places, and their positions on the map at `asOf`. */
export type KeptMap = MapPlaces & { asOf: Date; spots: readonly MapSpot[] };

export type KeptMaps = (caller: Caller, by: MapGrouping) => Promise<KeptMap>;

/** A map of fewer shipments is read in some 15 ms, so it is never older than its answer. */
const keptFrom = 1000;
const keptForMs = 10_000;
/** Of all accounts together; one has at most 50,000. A place takes about 600 bytes. */
const maxPlaces = 60_000;

/**
 * Reads the map of a large account once for everyone who looks at it within ten seconds, because the map at `asOf` is the
 * same for all views: moving and zooming reads nothing. Callers have been authorized. What is kept belongs to the
 * account, not to a person. Only tests change the options.
 */
export function keepMaps(core: CoreContext, { from = keptFrom, forMs = keptForMs } = {}): KeptMaps {
  const kept = new LRUCache<string, KeptMap>({
    maxSize: maxPlaces,
    sizeCalculation: ({ places }) => places.length + 1,
    ttl: forMs,
    ttlAutopurge: true,
  });
  const shared = singleFlight<string, KeptMap>();
  return async (caller, by) => {
    const key = `${caller.accountId} ${caller.test ? 'test' : 'live'} ${by}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    return shared(key, async () => {
      const asOf = core.now();
      const read = await readMap(core, caller, by);
      const map = { ...read, asOf, spots: await spotsOf(read.places, asOf.getTime()) };
      if (map.counted >= from) kept.set(key, map);
      return map;
    });
  };
}

/** Finding a shipping lane takes up to a millisecond, and an account may have thousands. */
export async function spotsOf(places: readonly MapPlace[], nowMs: number): Promise<MapSpot[]> {
  await takeTurn();
  const yieldIfDue = createYield();
  const spots: MapSpot[] = [];
  for (const place of places) {
    const spot = spotOf(place, nowMs);
    if (spot !== null) spots.push(spot);
    await yieldIfDue();
  }
  return spots;
}
