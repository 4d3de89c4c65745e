import { runSteps, takeTurn } from '#shared/async/yield-event-loop.ts';
import { type MapGroup, toWireGroups } from '#shared/contract/lists/map-wire.ts';
import { toWireSummary } from '#shared/contract/record/shipment-wire.ts';
import { listCityPoints, listMapShipments } from '#shared/core/lists/read-map.ts';
import { type MapPlace, mapBounds } from '#shared/domain/lists/map-places.ts';
import type { MapSpot } from '#shared/route-map/map-spots.ts';
import { type Cluster, clustersIn } from '#shared/route-map/place-clusters.ts';
import { readMapView } from '#shared/route-map/world-projection.ts';
import type { Routes } from '../plugins/serve.ts';
import { spotsOf } from './kept-maps.ts';

export const mapRoutes = {
  /** The visible part in at most 500 groups. */
  async getMap({ ctx, caller, query: { by, view } }) {
    const { spots, asOf, located, counted, total } = await ctx.maps(caller, by);
    const clusters = await circlesOf(spots, view);
    return { as_of: asOf.toISOString(), ...toWireGroups(clusters.map(groupOf)), located, counted, total };
  },

  /** Groups as the map was, so that a number opens the shipments that it counts. */
  async listMapShipments({ ctx, caller, body: { by, circle } }) {
    if (circle === null) {
      const without = await listMapShipments(ctx.core, caller, { by, keys: [] });
      return { group: null, points: [], ways: [], data: without.map(toWireSummary) };
    }
    const now = await ctx.maps(caller, by);
    const atMs = Date.parse(circle.as_of);
    const spots = atMs === now.asOf.getTime() ? now.spots : await spotsOf(now.places, atMs);
    const key = keyNow(spots, circle.key);
    const circles = await circlesOf(spots, circle.view);
    const outside = spots.filter((spot) => spot.key === key);
    const cluster = circles.find((one) => has(one, key)) ?? (await circlesOf(outside, everywhere))[0];
    if (cluster === undefined) return { group: null, points: [], ways: [], data: [] };
    const keys = cluster.spots.map((spot) => spot.key);
    const { points, groups } = toWireGroups([groupOf(cluster)]);
    const data = (await listMapShipments(ctx.core, caller, { by, keys })).map(toWireSummary);
    return { group: groups[0] ?? null, points, ways: waysOf(cluster.spots), data };
  },

  async listDestinations({ ctx, caller }) {
    const { places } = await ctx.maps(caller, 'destination');
    const listed = places.filter(({ key }) => /^[A-Z]{2}[A-Z2-9]{3}$/.test(key)).slice(0, mapBounds.destinations);
    return { data: listed.map(({ key, from: { name } }) => ({ unlocode: key, name })) };
  },

  async listCityPoints({ body: { places } }) {
    return { data: listCityPoints(places) };
  },
} satisfies Partial<Routes>;

const everywhere = '1,-9999,-9999,9999,9999';

async function circlesOf(spots: readonly MapSpot[], view: string): Promise<Cluster<MapSpot>[]> {
  await takeTurn();
  return runSteps(clustersIn(spots, readMapView(view), mapBounds.groups));
}

function groupOf({ x, y, spots, ...cluster }: Cluster<MapSpot>): MapGroup {
  const { key, kind, count, late, estimated, approximate } = cluster;
  const [{ place }] = spots;
  const counts = { count, late, estimated, approximate, positions: spots.length };
  return { key, kind, ...counts, x: rounded(x), y: rounded(y), place };
}

/** A thirtieth of a pixel in the closest view. */
function rounded(at: number): number {
  return Math.round(at * 1000) / 1000;
}

function has({ spots }: Cluster, key: string): boolean {
  return spots.some((spot) => spot.key === key);
}

/** The key that a place has now. A way whose ETA has changed since is the same way. */
function keyNow(spots: readonly MapSpot[], key: string): string {
  const [from, to, mode, departed, arrives] = key.split('~');
  if (arrives === undefined || spots.some((spot) => spot.key === key)) return key;
  const sameWay = `${[from, to, mode, departed].join('~')}~`;
  return spots.find((spot) => spot.key.startsWith(sameWay))?.key ?? key;
}

function waysOf(spots: readonly MapSpot[]) {
  const ways = new Map<string, { from: MapPlace['from']; to: MapPlace['from']; mode: MapPlace['mode'] }>();
  for (const { place } of spots) {
    const { from, to, mode } = place;
    if (to !== null && ways.size < mapBounds.ways) ways.set(`${from.key}~${to.key}~${mode}`, { from, to, mode });
  }
  return [...ways.values()].map(({ from, to, mode }) => ({ from: cornerOf(from), to: cornerOf(to), mode }));
}

function cornerOf({ lat, lng }: MapPlace['from']) {
  return { lat, lng };
}
