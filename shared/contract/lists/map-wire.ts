import { z } from 'zod';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { type MapPlace, type MapPoint, mapBounds, mapGroupings, spotKinds } from '#shared/domain/lists/map-places.ts';
import { toWirePosition } from '../record/part-wire.ts';
import { currentPosition } from '../record/shipment-parts.ts';
import { wireSummary } from '../record/shipment-schemas.ts';

const count = z.int().min(0);
const point = z.strictObject({
  key: z.string(),
  name: z.string().nullable(),
  lat: z.number(),
  lng: z.number(),
  /** Found by the name of a city alone. */
  approximate: z.boolean(),
});

/** The visible part of the map and the scale of its circles: `scale,left,top,right,bottom`, in units of the map. */
const view = z.string().regex(/^\d{1,3}(\.\d{1,6})?(,-?\d{1,4}(\.\d{1,2})?){4}$/);

export const mapQuery = z.strictObject({ by: z.enum(mapGroupings).default('place'), view });

/**
 * A circle of an answer for `view`, by its key or that of any place in it; estimates are for `as_of`, the time of that
 * answer. Null: the shipments without a place.
 */
export const mapShipmentsBody = z.strictObject({
  by: z.enum(mapGroupings).default('place'),
  circle: z.strictObject({ key: z.string().min(1).max(200), view, as_of: z.iso.datetime() }).nullable(),
});

const namedPlace = { name: z.string().min(1).max(200), country: z.string().max(2).nullable() };

/** Places of a shipment that are only named. */
export const cityPointsBody = z.strictObject({ places: z.array(z.strictObject(namedPlace)).max(mapBounds.cities) });

/** Lists the places that are found: for maps alone, accurate to about 50 km if the place is the city of this name. */
export const wireCityPoints = z.strictObject({
  data: z.array(z.strictObject({ ...namedPlace, lat: z.number(), lng: z.number() })),
});

/** Shipments that are drawn together at this zoom: at a place or on a way, or at several of them. */
const group = z.strictObject({
  /** The key of the largest place in it. */
  key: z.string(),
  /** Position of the circle, in units of the map. */
  x: z.number(),
  y: z.number(),
  kind: z.enum(spotKinds),
  count,
  late: count,
  /** Shipments at an estimated position. */
  estimated: count,
  /** Shipments at a place that was found by the name of its city. */
  approximate: count,
  /** Places and ways in it. */
  positions: count,
  /** A key of `points`. */
  from: z.string(),
  /** The next place of moving shipments. Null at a place, or if it is unknown. */
  to: z.string().nullable(),
  moving: z.boolean(),
  mode: z.enum(transportModes).nullable(),
  /** When moving shipments are expected at `to`; the end of that day if no time of day is known. */
  arrives_at: z.iso.datetime().nullable(),
  departed_at: z.iso.datetime().nullable(),
  /** The latest reported position of the place, at which `from` is. Null: no position is known. */
  current_position: currentPosition,
});
export type WireMapGroup = z.infer<typeof group>;

/** The visible current shipments in groups, each shipment in one. */
export const wireMap = z.strictObject({
  /** The time that estimated positions are for. */
  as_of: z.iso.datetime(),
  /** Places that `from` and `to` of the groups name, each once. */
  points: z.array(point),
  groups: z.array(group).max(mapBounds.groups),
  /** Shipments with a place, on the whole map. */
  located: count,
  /** Shipments that were counted: all of them, or those with the latest events. */
  counted: count,
  /** All current shipments. */
  total: count,
});
export type WireMap = z.infer<typeof wireMap>;

const corner = z.strictObject({ lat: z.number(), lng: z.number() });

/** The first shipments of a circle, by ETA. */
export const wireMapShipments = z.strictObject({
  /** The circle as it is now; null without a place, and if nothing is left of it. */
  group: group.nullable(),
  points: z.array(point),
  /** The ways in it, for their lines. */
  ways: z
    .array(z.strictObject({ from: corner, to: corner, mode: z.enum(transportModes).nullable() }))
    .max(mapBounds.ways),
  data: z.array(wireSummary).max(mapBounds.rows),
});
export type WireMapShipments = z.infer<typeof wireMapShipments>;

/** Places that current shipments go to, most of them first. */
export const wireDestinations = z.strictObject({
  data: z.array(z.strictObject({ unlocode: z.string(), name: z.string().nullable() })).max(mapBounds.destinations),
});

/** A group of the map before it is written: `place` is the largest in it. */
export type MapGroup = Pick<
  WireMapGroup,
  'key' | 'x' | 'y' | 'kind' | 'count' | 'late' | 'estimated' | 'approximate' | 'positions'
> & { place: MapPlace };

/** Groups on the wire, and the points that they name. */
export function toWireGroups(groups: readonly MapGroup[]): Pick<WireMap, 'points' | 'groups'> {
  const points = new Map<string, MapPoint>();
  const keyOf = (at: MapPoint) => {
    if (!points.has(at.key)) points.set(at.key, at);
    return at.key;
  };
  const written = groups.map(({ place, ...counts }) => ({
    ...counts,
    from: keyOf(place.from),
    to: place.to && keyOf(place.to),
    moving: place.isMoving,
    mode: place.mode,
    departed_at: place.departedAt,
    arrives_at: place.arrivesAt,
    current_position: toWirePosition(place.reported),
  }));
  return { points: [...points.values()].map(toPoint), groups: written };
}

function toPoint({ key, name, lat, lng, approximate = false }: MapPoint): z.infer<typeof point> {
  return { key, name, lat, lng, approximate };
}
