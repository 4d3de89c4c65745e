import type { LngLat } from './sea-waypoints.ts';
import { chains, type Waypoint, waypoints } from './sea-waypoints.ts';

/** Below this distance ships sail straight. */
const straightKm = 700;
/** Number of waypoints that connect a port, or a ship at sea, to the network. */
const maxEntries = 3;
const maxEntriesAtSea = 6;
const maxEntryKm = 3200;
const maxCutKm = 140;

/** The shortest path by sea between two points, through straits and around capes, precise enough for a globe. */
export function seaLane(from: LngLat, to: LngLat, atSea: { from?: boolean; to?: boolean } = {}): LngLat[] {
  if (kmBetween(from, to) <= straightKm) return [from, to];
  const ends = entriesOf(to, atSea.to === true);
  const best = new Map<Waypoint, { km: number; way: Waypoint[] }>();
  const open: { at: Waypoint; km: number; way: Waypoint[] }[] = entriesOf(from, atSea.from === true).map(
    ({ at, km }) => ({
      at,
      km,
      way: [at],
    }),
  );
  while (open.length > 0) {
    open.sort((left, right) => right.km - left.km);
    const nearest = open.pop();
    if (nearest === undefined || best.has(nearest.at)) continue;
    best.set(nearest.at, nearest);
    for (const next of neighbours.get(nearest.at) ?? []) {
      if (!best.has(next))
        open.push({
          at: next,
          km: nearest.km + kmBetween(waypoints[nearest.at], waypoints[next]),
          way: [...nearest.way, next],
        });
    }
  }
  let shortest: { km: number; way: Waypoint[] } | null = null;
  for (const { at, km } of ends) {
    const found = best.get(at);
    if (found !== undefined && (shortest === null || found.km + km < shortest.km))
      shortest = { km: found.km + km, way: found.way };
  }
  return shortest === null
    ? [from, to]
    : withRoundCorners([from, ...shortest.way.map((at) => waypoints[at] as LngLat), to]);
}

/** Rounds the corners. Waypoints near land are close together, so that little is cut off there. */
function withRoundCorners(way: readonly LngLat[]): LngLat[] {
  return way.flatMap((corner, index) => {
    const [before, after] = [way[index - 1], way[index + 1]];
    if (before === undefined || after === undefined) return [corner];
    const [into, out] = [toward(corner, before), toward(corner, after)];
    const middle = between(between(into, corner, 0.5), between(corner, out, 0.5), 0.5);
    return [into, middle, out];
  });
}

function toward(corner: LngLat, other: LngLat): LngLat {
  const km = kmBetween(corner, other);
  return km === 0 ? corner : between(corner, other, Math.min(0.3, maxCutKm / km));
}

/** Linear interpolation between two points, precise enough for short distances. */
function between([lng, lat]: LngLat, [otherLng, otherLat]: LngLat, share: number): LngLat {
  // The shorter direction around the globe.
  const turn = ((otherLng - lng + 540) % 360) - 180;
  const at = lng + turn * share;
  return [((at + 540) % 360) - 180, lat + (otherLat - lat) * share];
}

const neighbours = readChains();

function readChains(): Map<Waypoint, Set<Waypoint>> {
  const read = new Map<Waypoint, Set<Waypoint>>();
  for (const chain of chains) {
    const names = chain.split('-') as Waypoint[];
    for (const [index, name] of names.entries()) {
      for (const other of [names[index - 1], names[index + 1]]) {
        if (other !== undefined) read.set(name, (read.get(name) ?? new Set()).add(other));
      }
    }
  }
  return read;
}

/** The nearest waypoints of similar distance: land is more likely to lie before farther ones. */
function entriesOf(point: LngLat, isAtSea: boolean): { at: Waypoint; km: number }[] {
  const near = (Object.keys(waypoints) as Waypoint[])
    .map((at) => ({ at, km: kmBetween(point, waypoints[at]) }))
    .sort((left, right) => left.km - right.km);
  const first = near[0]?.km ?? 0;
  return near
    .slice(0, isAtSea ? maxEntriesAtSea : maxEntries)
    .filter(({ km }) => km <= maxEntryKm && (isAtSea || km <= Math.max(first * 1.8, first + 120)));
}

function kmBetween([lng, lat]: LngLat, [otherLng, otherLat]: LngLat): number {
  const toRadians = Math.PI / 180;
  const a =
    Math.sin(((otherLat - lat) * toRadians) / 2) ** 2 +
    Math.cos(lat * toRadians) * Math.cos(otherLat * toRadians) * Math.sin(((otherLng - lng) * toRadians) / 2) ** 2;
  return 12_742 * Math.asin(Math.min(1, Math.sqrt(a)));
}
