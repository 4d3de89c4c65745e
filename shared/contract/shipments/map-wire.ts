import { z } from 'zod';
import { type MapPlaces, type MapPoint, mapBounds, mapGroupings } from '#shared/domain/shipments/map-places.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { currentPosition } from './shipment-parts.ts';
import { wireSummary } from './shipment-schemas.ts';
import { toWirePosition } from './shipment-wire.ts';

const count = z.int().min(0);
const point = z.strictObject({ key: z.string(), name: z.string().nullable(), lat: z.number(), lng: z.number() });

export const mapQuery = z.strictObject({ by: z.enum(mapGroupings).default('place') });

export const mapShipmentsQuery = z.strictObject({
  by: z.enum(mapGroupings).default('place'),
  /** Keys of places, with commas. Absent: the shipments without a place. */
  at: z.string().max(20_000).optional(),
});

/** The current shipments by place, the largest places first. */
export const wireMap = z.strictObject({
  places: z
    .array(
      z.strictObject({
        key: z.string(),
        from: point,
        /** The next place of moving shipments. Null at a place, or if it is unknown. */
        to: point.nullable(),
        moving: z.boolean(),
        mode: z.enum(transportModes).nullable(),
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
  return {
    places: places.map(({ isMoving, from, to, reported, ...place }) => ({
      ...place,
      current_position: toWirePosition(reported),
      from: toPoint(from),
      to: to && toPoint(to),
      moving: isMoving,
    })),
    ...counts,
  };
}

function toPoint({ key, name, lat, lng }: MapPoint): z.infer<typeof point> {
  return { key, name, lat, lng };
}
