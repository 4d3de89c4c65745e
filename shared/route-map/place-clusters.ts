import type { SpotKind } from '#shared/domain/lists/map-places.ts';
import type { MapView } from './world-projection.ts';

/** Shipments in one position, in units of the map. */
export type PlacedSpot = { key: string; count: number; late: number; kind: SpotKind; x: number; y: number };

/**
 * Spots whose circles overlap. It is where the largest one is, which comes first. `kind` is that of all of them, else
 * `place`.
 */
export type Cluster<Spot extends PlacedSpot = PlacedSpot> = PlacedSpot & {
  spots: [Spot, ...Spot[]];
  /** Shipments at an estimated position. */
  estimated: number;
  /** Shipments at a place that was found by the name of its city. */
  approximate: number;
};

const maxRadius = 34;

/** In pixels. The area is proportional to the count. */
export function radiusOf(count: number): number {
  return Math.min(8 + 2.6 * Math.sqrt(count), maxRadius);
}

/**
 * The circles of the visible spots, at most `max`: joined for the scale of the view, and further where there are too
 * many. They never overlap at that scale. Yields between the spots: thousands take a second.
 */
export function* clustersIn<Spot extends PlacedSpot>(
  spots: readonly Spot[],
  { scale, left, top, right, bottom }: MapView,
  max: number,
): Generator<void, Cluster<Spot>[]> {
  const inside = spots.filter(({ x, y }) => x >= left && x <= right && y >= top && y <= bottom);
  let joined = yield* clustersOf(inside, scale);
  for (let further = scale / Math.SQRT2; joined.length > max; further /= Math.SQRT2)
    joined = yield* join(joined, further);
  return joined;
}

/** Joins spots whose circles overlap at this scale, the largest first, until none does. */
export function clustersOf<Spot extends PlacedSpot>(
  spots: readonly Spot[],
  scale: number,
): Generator<void, Cluster<Spot>[]> {
  return join(
    spots.map((spot) => {
      const { key, count, late, kind, x, y } = spot;
      const of = (one: SpotKind) => (kind === one ? count : 0);
      const ofKinds = { estimated: of('estimated'), approximate: of('approximate') };
      return { key, count, late, kind, x, y, spots: [spot], ...ofKinds };
    }),
    scale,
  );
}

function* join<Spot extends PlacedSpot>(
  clusters: readonly Cluster<Spot>[],
  scale: number,
): Generator<void, Cluster<Spot>[]> {
  const grid = openGrid<Cluster<Spot>>((2 * maxRadius) / scale, scale);
  const inOrder = clusters.toSorted(
    (left, right) => right.count - left.count || (left.key < right.key ? -1 : Number(left.key > right.key)),
  );
  for (const one of inOrder) {
    let cluster = one;
    // A joined circle is larger and may overlap the next one.
    for (let near = grid.take(cluster); near !== null; near = grid.take(cluster)) cluster = together(near, cluster);
    grid.add(cluster);
    yield;
  }
  return grid.all();
}

/** The one with the largest spot keeps its position. The longer list is reused: 20,000 are joined one by one. */
function together<Spot extends PlacedSpot>(one: Cluster<Spot>, other: Cluster<Spot>): Cluster<Spot> {
  const lead = one.spots[0].count >= other.spots[0].count ? one : other;
  const [spots, more] = one.spots.length >= other.spots.length ? [one.spots, other.spots] : [other.spots, one.spots];
  if (spots !== lead.spots) [spots[0], more[0]] = [more[0], spots[0]];
  for (const spot of more) spots.push(spot);
  return {
    ...lead,
    spots,
    kind: one.kind === other.kind ? one.kind : 'place',
    count: one.count + other.count,
    late: one.late + other.late,
    estimated: one.estimated + other.estimated,
    approximate: one.approximate + other.approximate,
  };
}

/** Clusters by squares of this size. Those that overlap are in the same or in the next square. */
function openGrid<Circle extends PlacedSpot>(size: number, scale: number) {
  const squares = new Map<number, Circle[]>();
  const keyOf = ({ x, y }: Circle, across: number, down: number) =>
    (Math.floor(x / size) + across) * 1_000_003 + Math.floor(y / size) + down;
  return {
    add(circle: Circle): void {
      const key = keyOf(circle, 0, 0);
      const square = squares.get(key);
      if (square === undefined) squares.set(key, [circle]);
      else square.push(circle);
    },
    /** Removes and returns one that overlaps. */
    take(circle: Circle): Circle | null {
      for (const across of [0, -1, 1]) {
        for (const down of [0, -1, 1]) {
          const square = squares.get(keyOf(circle, across, down));
          const at = square?.findIndex((other) => overlap(circle, other, scale)) ?? -1;
          const [taken] = at === -1 ? [] : (square?.splice(at, 1) ?? []);
          if (taken !== undefined) return taken;
        }
      }
      return null;
    },
    all: (): Circle[] => [...squares.values()].flat(),
  };
}

function overlap(one: PlacedSpot, other: PlacedSpot, scale: number): boolean {
  const reach = radiusOf(one.count) + radiusOf(other.count) - 2;
  return Math.hypot(one.x - other.x, one.y - other.y) * scale < reach;
}
