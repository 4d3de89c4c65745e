import type { WireMap } from '#shared/contract/shipments/map-wire.ts';
import { estimateShare } from '#shared/domain/positions/estimate-share.ts';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';
import { setBounded } from '#shared/domain/set-bounded.ts';
import { pointsAlong, wayBetween } from '#shared/route-map/along-way.ts';
import { relativeWords } from '../../parts/time-words.ts';
import { estimateWords } from '../../parts/words/estimate-words.ts';

type Place = WireMap['places'][number];
type Point = WireMap['points'][number];

/**
 * Shipments in one position. `place`: there. `approximate`: about there, found by the name of the city. `reported`: where their vehicle was seen, and the name says how long ago.
 * `estimated`: on the way without a reported position; `note` says how the point was found.
 */
export type Spot = {
  key: string;
  name: string;
  note: string | null;
  at: LngLat;
  kind: 'place' | 'approximate' | 'reported' | 'estimated';
  /** The drawn line that an estimated point lies on. */
  way: readonly LngLat[] | null;
  count: number;
  late: number;
};

/** What the map draws for the places of an answer. `now` is the time that estimates are for. */
export function spotsOf({ points, places }: Pick<WireMap, 'points' | 'places'>, now: number): Spot[] {
  const known = new Map(points.map((point) => [point.key, point]));
  return places.flatMap((place) => {
    const from = known.get(place.from);
    return from === undefined ? [] : [spotOf(place, { from, to: known.get(place.to ?? '') ?? null, now })];
  });
}

function spotOf(place: Place, { from, to, now }: { from: Point; to: Point | null; now: number }): Spot {
  const { key, moving, mode, count, late, current_position: reported } = place;
  const start: LngLat = [from.lng, from.lat];
  const spot = { key, count, late, at: start, way: null, note: null };
  if (reported !== null) {
    const vehicle = reported.vehicle?.name ?? reported.vehicle?.imo ?? vehicleWords[mode ?? ''] ?? 'Vehicle';
    return { ...spot, kind: 'reported', name: `${vehicle}, seen ${relativeWords(reported.at, now)}` };
  }
  if (!moving && from.approximate)
    return { ...spot, kind: 'approximate', name: nameOf(from), note: 'Approximate, by the name of the city.' };
  if (!moving) return { ...spot, kind: 'place', name: nameOf(from) };
  if (to === null) {
    const note = 'The next place is unknown, so it is drawn where it left. No position reported.';
    return { ...spot, kind: 'estimated', name: `Left ${nameOf(from)}`, note };
  }
  const way = wayOf(from, to, mode);
  const { departed_at: departedAt, arrives_at: arrivesAt } = place;
  const estimate = departedAt === null ? null : estimateShare({ departedAt, arrivesAt }, now);
  return {
    ...spot,
    kind: 'estimated',
    name: `${movingWords[mode ?? ''] ?? 'On the way'}, ${nameOf(from)} to ${nameOf(to)}`,
    at: way.at(estimate?.share ?? 0.5),
    way: way.line,
    note:
      estimate === null
        ? 'No usable ETA, so it is drawn halfway. No position reported.'
        : estimateWords({ isOverdue: estimate.isOverdue, arrivesAt, to: nameOf(to) }, now),
  };
}

const vehicleWords: Record<string, string> = { ocean: 'Ship', air: 'Aircraft', rail: 'Train', road: 'Truck' };
const movingWords: Record<string, string> = { ocean: 'At sea', air: 'In the air' };

type Way = { line: LngLat[]; at: (share: number) => LngLat };

const maxWays = 2000;
const ways = new Map<string, Way>();

/** The line of a way. Finding a shipping lane takes a thousand times longer than a point on it. */
function wayOf(from: Point, to: Point, mode: string | null): Way {
  const key = [from.lng, from.lat, to.lng, to.lat, mode].join();
  const known = ways.get(key);
  if (known !== undefined) return known;
  const line = wayBetween([from.lng, from.lat], [to.lng, to.lat], { mode });
  return setBounded(ways, { key, value: { line, at: pointsAlong(line) }, max: maxWays });
}

function nameOf({ name, lat, lng }: Point): string {
  return (
    name ?? `${Math.abs(lat).toFixed(0)}° ${lat < 0 ? 'S' : 'N'} ${Math.abs(lng).toFixed(0)}° ${lng < 0 ? 'W' : 'E'}`
  );
}
