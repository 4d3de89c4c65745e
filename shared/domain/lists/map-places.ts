import type { Place } from '../events/event.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import type { VehiclePosition } from '../positions/vehicle-position.ts';

/** Groupings of shipments on the map. */
export const mapGroupings = ['place', 'destination'] as const;
export type MapGrouping = (typeof mapGroupings)[number];

/**
 * `scanned`: shipments whose positions are counted, the latest events first. `groups`: circles of one answer. `rows`: of
 * one circle, `ways` of it are drawn. `destinations`: to choose from. `cities`: named places of one request.
 */
export const mapBounds = { scanned: 50_000, groups: 500, rows: 100, ways: 20, destinations: 1000, cities: 60 } as const;

/** Source of a circle's position; `approximate`: by the name of a city. Of several kinds, `place`. */
export const spotKinds = ['place', 'approximate', 'reported', 'estimated'] as const;
export type SpotKind = (typeof spotKinds)[number];

/** `approximate`: found by the name of a city alone, up to about 50 km away if it is that city. */
export type MapPoint = { key: string; name: string | null; lat: number; lng: number; approximate?: boolean };

type Named = Pick<Place, 'name' | 'unlocode' | 'iata' | 'lat' | 'lng'>;

/** A place of which only the name is known: no code and no coordinates. */
export function isOnlyNamed<P extends Named>(place: P): place is P & { name: string } {
  const { name, unlocode, iata, lat, lng } = place;
  return name !== null && unlocode === null && iata === null && (lat === null || lng === null);
}

/** Returns the position on maps of a place that has no coordinates, by its name. Null: unknown. */
export type Locate = (place: Place) => { lat: number; lng: number } | null;

/** A place by its name: `Portland, OR` where city names repeat between states. `country`: ISO 3166-1 alpha-2. */
export type NamedPlace = { name: string; country: string | null };
/** Place with its position on maps in degrees, accurate to about 50 km if it is the city of this name. */
export type CityPoint = NamedPlace & { lat: number; lng: number };

/** ISO UTC: when shipments on the way left `from`, and when they are expected at `to`. Null: unknown. */
type WayTimes = { departedAt: string | null; arrivesAt: string | null };

/**
 * Position of one shipment: at `from` (null: unknown), or `moving` from there to `to` (null: the next place is
 * unknown). Positions at a place have no times.
 */
export type MapPosition = {
  from: MapPoint | null;
  to: MapPoint | null;
  destination: MapPoint | null;
  moving: boolean;
} & Partial<WayTimes>;

/**
 * Current shipments in the same position. `to` is null at a place. Otherwise they left `from` and have not reached `to`;
 * `isMoving` with `to` null means that the next place is unknown.
 */
export type MapPlace = WayTimes & {
  key: string;
  from: MapPoint;
  to: MapPoint | null;
  isMoving: boolean;
  /** Of moving shipments. */
  mode: TransportMode | null;
  count: number;
  late: number;
  /** The latest reported position in the group, at which `from` is. Null: nobody reported any. */
  reported: VehiclePosition | null;
};

/** `counted`: the shipments that were read, all `total` current ones unless there are more than the bound. */
export type MapPlaces = { places: MapPlace[]; located: number; counted: number; total: number };
