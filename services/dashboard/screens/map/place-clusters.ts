import type { Spot } from './spots.ts';

/** A spot in units of the map. */
export type PlacedSpot = { spot: Spot; x: number; y: number };

/**
 * Spots whose circles overlap. It is where the largest one is, and has its name and note. `key` is that of the largest
 * one. `kind` is that of all of them, else `place`.
 */
export type Cluster = Pick<Spot, 'key' | 'name' | 'note' | 'kind'> & {
  spots: Spot[];
  count: number;
  late: number;
  /** Shipments at an estimated position. */
  estimated: number;
  x: number;
  y: number;
  /** In pixels. */
  radius: number;
};

const maxRadius = 34;

/** The area is proportional to the count. */
export function radiusOf(count: number): number {
  return Math.min(8 + 2.6 * Math.sqrt(count), maxRadius);
}

/** Joins spots whose circles overlap at this scale, the largest first, until none does. */
export function clustersOf(placed: readonly PlacedSpot[], scale: number): Cluster[] {
  const grid = openGrid((2 * maxRadius) / scale, scale);
  const inOrder = placed.toSorted(
    ({ spot: left }, { spot: right }) => right.count - left.count || (left.key < right.key ? -1 : 1),
  );
  for (const one of inOrder) {
    let cluster = clusterOf(one);
    // A joined circle is larger and may overlap the next one.
    for (let near = grid.take(cluster); near !== null; near = grid.take(cluster)) cluster = joined(near, cluster);
    grid.add(cluster);
  }
  return grid.all();
}

function clusterOf({ spot, x, y }: PlacedSpot): Cluster {
  const { key, name, note, kind, count, late } = spot;
  const estimated = kind === 'estimated' ? count : 0;
  return { key, name, note, kind, spots: [spot], count, late, estimated, x, y, radius: radiusOf(count) };
}

/** The larger one keeps its position and name. Its list of spots is reused: 20,000 are joined one by one. */
function joined(one: Cluster, other: Cluster): Cluster {
  const [lead, less] = one.count >= other.count ? [one, other] : [other, one];
  lead.spots.push(...less.spots);
  const count = one.count + other.count;
  return {
    ...lead,
    kind: one.kind === other.kind ? one.kind : 'place',
    count,
    late: one.late + other.late,
    estimated: one.estimated + other.estimated,
    radius: radiusOf(count),
  };
}

/** Clusters by squares of this size. Those that overlap are in the same or in the next square. */
function openGrid(size: number, scale: number) {
  const squares = new Map<number, Cluster[]>();
  const keyOf = ({ x, y }: Cluster, across: number, down: number) =>
    (Math.floor(x / size) + across) * 1_000_003 + Math.floor(y / size) + down;
  return {
    add(cluster: Cluster): void {
      const key = keyOf(cluster, 0, 0);
      const square = squares.get(key);
      if (square === undefined) squares.set(key, [cluster]);
      else square.push(cluster);
    },
    /** Removes and returns one that overlaps. */
    take(cluster: Cluster): Cluster | null {
      for (const across of [0, -1, 1]) {
        for (const down of [0, -1, 1]) {
          const square = squares.get(keyOf(cluster, across, down));
          const at = square?.findIndex((other) => overlap(cluster, other, scale)) ?? -1;
          const [taken] = at === -1 ? [] : (square?.splice(at, 1) ?? []);
          if (taken !== undefined) return taken;
        }
      }
      return null;
    },
    all: (): Cluster[] => [...squares.values()].flat(),
  };
}

function overlap(one: Cluster, other: Cluster, scale: number): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) * scale < one.radius + other.radius - 2;
}
