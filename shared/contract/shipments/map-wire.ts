import { z } from 'zod';
import { type MapPlaces, type MapPoint, mapBounds, mapGroupings } from '#shared/domain/shipments/map-places.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { currentPosition } from './shipment-parts.ts';
import { wireSummary } from './shipment-schemas.ts';
import { toWirePosition } from './shipment-wire.ts';

const count = z.int().min(0);
const point = z.strictObject({
  key: z.string(),
  name: z.string().nullable(),
  lat: z.number(),
  lng: z.number(),
  /** Found by the name of a city alone. */
  approximate: z.boolean(),
});

export const mapQuery = z.strictObject({ by: z.enum(mapGroupings).default('place') });

/** `keys` of places. Empty: the shipments without a place. */
export const mapShipmentsBody = z.strictObject({
  by: z.enum(mapGroupings).default('place'),
  keys: z.array(z.string().min(1).max(200)).max(mapBounds.keys),
});

const namedPlace = { name: z.string().min(1).max(200), country: z.string().max(2).nullable() };

/** Places of a shipment that are only named. */
export const cityPointsBody = z.strictObject({ places: z.array(z.strictObject(namedPlace)).max(mapBounds.cities) });

/** Those that are found: for maps alone, accurate to about 50 km if the place is the city of this name. */
export const wireCityPoints = z.strictObject({
  data: z.array(z.strictObject({ ...namedPlace, lat: z.number(), lng: z.number() })),
});

/** The current shipments by place, the largest places first. */
export const wireMap = z.strictObject({
  /** What `from` and `to` of the places name, each once. */
  points: z.array(point),
  places: z
    .array(
      z.strictObject({
        key: z.string(),
        from: z.string(),
        /** The next place of moving shipments. Null at a place, or if it is unknown. */
        to: z.string().nullable(),
        moving: z.boolean(),
        mode: z.enum(transportModes).nullable(),
        /** When moving shipments left `from`. */
        departed_at: z.iso.datetime().nullable(),
        /** When they are expected at `to`; the end of that day if no time of day is known. */
        arrives_at: z.iso.datetime().nullable(),
        count,
        late: count,
        /** The latest reported position of the place, at which `from` is. Null: no position is known. */
        current_position: currentPosition,
      }),
    )
    .max(mapBounds.places),
  /** Shipments in `places`. */
  located: count,
  /** Shipments that were counted: all of them, or those with the latest events. */
  counted: count,
  /** All current shipments. */
  total: count,
});
export type WireMap = z.infer<typeof wireMap>;

/** The first shipments of a place, by ETA. */
export const wireMapShipments = z.strictObject({ data: z.array(wireSummary).max(mapBounds.rows) });

export function toWireMap({ places, ...counts }: MapPlaces): WireMap {
  const points = new Map<string, MapPoint>();
  const keyOf = (at: MapPoint) => {
    if (!points.has(at.key)) points.set(at.key, at);
    return at.key;
  };
  const wirePlaces = places.map(({ isMoving, from, to, reported, departedAt, arrivesAt, ...place }) => ({
    ...place,
    from: keyOf(from),
    to: to && keyOf(to),
    moving: isMoving,
    departed_at: departedAt,
    arrives_at: arrivesAt,
    current_position: toWirePosition(reported),
  }));
  return { points: [...points.values()].map(toPoint), places: wirePlaces, ...counts };
}

function toPoint({ key, name, lat, lng, approximate = false }: MapPoint): z.infer<typeof point> {
  return { key, name, lat, lng, approximate };
}
