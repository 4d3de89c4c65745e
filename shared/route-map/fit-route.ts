import {
  type ExtendedGeometryCollection,
  type GeoGeometryObjects,
  type GeoProjection,
  geoAzimuthalEqualArea,
  geoCentroid,
  geoDistance,
  geoPath,
} from 'd3-geo';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';

/** At least about 1,300 km from side to side: the coastline is too coarse for a closer view. */
const minSpan = 0.2;

export type Frame = { width: number; height: number; top: number; right: number; bottom: number; left: number };

/**
 * An azimuthal equal-area projection fitted to the route and centred on it, so that no meridian splits it. The margins
 * of the frame leave room for labels.
 */
export function fitRoute(
  lines: readonly (readonly LngLat[])[],
  points: readonly LngLat[],
  frame: Frame,
): GeoProjection {
  const ways: GeoGeometryObjects = {
    type: 'MultiLineString',
    coordinates: lines.map((line) => line.map(([lng, lat]) => [lng, lat])),
  };
  const places: GeoGeometryObjects = { type: 'MultiPoint', coordinates: points.map(([lng, lat]) => [lng, lat]) };
  const route: ExtendedGeometryCollection = { type: 'GeometryCollection', geometries: [ways, places] };
  const [lng, lat] = middleOf(lines.length === 0 ? [places] : [ways, places]);
  const reach = Math.max(0, ...points.map((point) => geoDistance([point[0], point[1]], [lng, lat]))) * (180 / Math.PI);
  // One half of the globe, unless the route needs more: the far side is distorted beyond use.
  const projection = geoAzimuthalEqualArea()
    .rotate([-lng, -lat])
    .clipAngle(Math.min(Math.max(90, reach + 12), 179))
    .precision(0.3);
  projection.fitExtent(
    [
      [frame.left, frame.top],
      [frame.width - frame.right, frame.height - frame.bottom],
    ],
    route,
  );
  const maxScale = frame.width / minSpan;
  if (!(projection.scale() <= maxScale)) projection.scale(maxScale).translate([frame.width / 2, frame.height / 2]);
  const [[x0, y0], [x1, y1]] = geoPath(projection).bounds(route);
  const [x, y] = projection.translate();
  projection.translate([
    x + (frame.left + frame.width - frame.right) / 2 - (x0 + x1) / 2,
    y + middleY(frame, y1 - y0) - (y0 + y1) / 2,
  ]);
  // Clips what lies outside the picture: a coastline of 1:50 million has 100,000 points.
  return projection.clipExtent([
    [-20, -20],
    [frame.width + 20, frame.height + 20],
  ]);
}

/** Places a flat route in the lower half, since most land around shipping routes lies to the north. */
function middleY({ height, top, bottom }: Frame, routeHeight: number): number {
  const free = height - top - bottom - routeHeight;
  return top + routeHeight / 2 + Math.max(free, 0) * 0.62;
}

function middleOf(candidates: readonly GeoGeometryObjects[]): LngLat {
  for (const candidate of candidates) {
    const [lng, lat] = geoCentroid(candidate);
    if (Number.isFinite(lng) && Number.isFinite(lat)) return [lng, lat];
  }
  return [0, 0];
}
