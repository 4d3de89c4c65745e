import type { WirePlace } from '#shared/contract/shipments/shipment-parts.ts';
import type { MapShipment } from './map-queries.ts';

/** Shipments of one place. */
export type Spot = { key: string; name: string; at: [number, number]; shipments: MapShipment[] };
/** Places whose circles overlap. `key` and `name` are those of the largest one. */
export type Cluster = {
  key: string;
  name: string;
  keys: string[];
  x: number;
  y: number;
  radius: number;
  shipments: MapShipment[];
  late: number;
};
export type By = 'place' | 'destination';

/** Groups shipments by last reported place or by destination; those without coordinates are separate. */
export function spotsOf(shipments: readonly MapShipment[], by: By): { spots: Spot[]; without: MapShipment[] } {
  const spots = new Map<string, Spot>();
  const without: MapShipment[] = [];
  for (const shipment of shipments) {
    const place =
      by === 'destination'
        ? shipment.destination
        : (located(shipment.latest_event?.location) ?? located(shipment.origin));
    const seen = located(place);
    if (seen === null) {
      without.push(shipment);
      continue;
    }
    const key = seen.unlocode ?? seen.iata ?? `${seen.lat.toFixed(1)}_${seen.lng.toFixed(1)}`;
    const spot = spots.get(key);
    if (spot === undefined)
      spots.set(key, { key, name: nameOf(seen), at: [seen.lng, seen.lat], shipments: [shipment] });
    else spot.shipments.push(shipment);
  }
  return { spots: [...spots.values()], without };
}

/** Merges places whose circles overlap, the largest first, until none does. */
export function clustersOf(
  spots: readonly Spot[],
  project: (at: [number, number]) => [number, number] | null,
): Cluster[] {
  const clusters: Cluster[] = [];
  for (const spot of spots.toSorted(
    (left, right) => right.shipments.length - left.shipments.length || (left.key < right.key ? -1 : 1),
  )) {
    const point = project(spot.at);
    if (point === null) continue;
    const [x, y] = point;
    const one = { key: spot.key, name: spot.name, keys: [spot.key], x, y, shipments: spot.shipments };
    join(clusters, {
      ...one,
      radius: radiusOf(spot.shipments.length),
      late: spot.shipments.filter((shipment) => shipment.late).length,
    });
  }
  return clusters;
}

/** The area is proportional to the count. */
export function radiusOf(count: number): number {
  return Math.min(8 + 2.6 * Math.sqrt(count), 34);
}

function join(clusters: Cluster[], one: Cluster): void {
  const near = clusters.findIndex(
    (other) => Math.hypot(other.x - one.x, other.y - one.y) < other.radius + one.radius - 2,
  );
  const other = clusters[near];
  if (other === undefined) {
    clusters.push(one);
    return;
  }
  clusters.splice(near, 1);
  const shipments = [...other.shipments, ...one.shipments];
  // The larger one keeps its position and name. The merged circle may overlap the next one.
  const leads = other.shipments.length >= one.shipments.length ? other : one;
  join(clusters, {
    ...leads,
    keys: [...other.keys, ...one.keys],
    shipments,
    radius: radiusOf(shipments.length),
    late: other.late + one.late,
  });
}

type Located = WirePlace & { lat: number; lng: number };

function located(place: WirePlace | null | undefined): Located | null {
  return place !== null && place !== undefined && place.lat !== null && place.lng !== null ? (place as Located) : null;
}

function nameOf(place: Located): string {
  return (
    place.name ??
    place.unlocode ??
    place.iata ??
    `${Math.abs(place.lat).toFixed(0)}° ${place.lat < 0 ? 'S' : 'N'} ${Math.abs(place.lng).toFixed(0)}° ${place.lng < 0 ? 'W' : 'E'}`
  );
}
