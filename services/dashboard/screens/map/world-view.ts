import { geoPath } from 'd3-geo';
import { type ZoomTransform, zoomIdentity } from 'd3-zoom';
import {
  type Box,
  contains,
  type MapView,
  north,
  projection,
  south,
  worldBounds,
  worldWidth,
} from '#shared/route-map/world-projection.ts';
import type { Size } from '../../parts/map/use-map-zoom.ts';

/** Width in pixels of the world at zoom 0, as web maps have it. */
const tile = 256;
const maxZoom = 7;
const marginPx = 12;

/** The latitude that the whole world begins at. */
const lowest = -56;
const [, inhabitedTop = 0] = projection([11, 73]) ?? [];
const [, inhabitedBottom = 0] = projection([11, lowest]) ?? [];
const [[, top], [, bottom]] = worldBounds;

export const worldPath = geoPath(projection).digits(2);

export const maxScale = (tile * 2 ** maxZoom) / worldWidth;

/** The scale at which the whole world is shown, the smallest one. */
export function worldScale({ width, height }: Size): number {
  return Math.min(width / worldWidth, (height - 2 * marginPx) / (inhabitedBottom - inhabitedTop));
}

/** The view around a point, moved so that it shows nothing beyond the edges unless it is larger than the world. */
function viewAround([x, y]: readonly [number, number], k: number, { width, height }: Size): ZoomTransform {
  const within = (at: number, span: number, [from, to]: readonly [number, number]) =>
    to - from < span ? (from + to) / 2 : Math.min(Math.max(at, from + span / 2), to - span / 2);
  const middleX = within(x, width / k, [-worldWidth / 2, worldWidth / 2]);
  const middleY = within(y, height / k, [top, bottom]);
  return zoomIdentity.translate(width / 2 - middleX * k, height / 2 - middleY * k).scale(k);
}

/** The whole world in the middle. */
export function wholeWorld(size: Size): ZoomTransform {
  return viewAround([0, (inhabitedTop + inhabitedBottom) / 2], worldScale(size), size);
}

/** Centre and zoom in the URL: `12.4,105.2` (latitude, longitude), and the zoom that web maps have. */
export type ViewText = { center: string; zoom: string };

/** The view in the URL. Empty: the whole world. */
export function writeView({ x, y, k }: ZoomTransform, size: Size): ViewText {
  // The two digits of a zoom round the scale by up to 0.35 %, which must not make a view of a place the whole world.
  if (k <= worldScale(size) * 1.004) return { center: '', zoom: '' };
  return viewText([(size.width / 2 - x) / k, (size.height / 2 - y) / k], k);
}

/** The view around a point of the map, in the URL. */
export function viewText([x, y]: readonly [number, number], k: number): ViewText {
  const [lng, lat] = projection.invert?.([x, y]) ?? [0, 0];
  const digits = k > 8 ? 3 : 2;
  const zoom = Math.min(Math.log2((k * worldWidth) / tile), maxZoom);
  return { center: `${lat.toFixed(digits)},${lng.toFixed(digits)}`, zoom: zoom.toFixed(2) };
}

/** Reads an untrusted URL. Anything that is no view is the whole world. */
export function readView({ center, zoom }: { center: string; zoom: string }, size: Size): ZoomTransform {
  const whole = wholeWorld(size);
  const [lat = Number.NaN, lng = Number.NaN, ...more] = center.split(',').map(Number);
  const k = Math.min((tile * 2 ** Number.parseFloat(zoom)) / worldWidth, maxScale);
  const isPlace = more.length === 0 && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  const point = isPlace ? projection([lng, Math.min(Math.max(lat, south), north)]) : null;
  // The centre of a link may lie where this window would show what is beyond the edge.
  return point === null || !(k > whole.k) ? whole : viewAround(point, k, size);
}

/** The visible part, and `share` of it on each side. */
export function boxOf({ x, y, k }: ZoomTransform, { width, height }: Size, share = 0): Box {
  return {
    left: (-x - width * share) / k,
    top: (-y - height * share) / k,
    right: (-x + width * (1 + share)) / k,
    bottom: (-y + height * (1 + share)) / k,
  };
}

/**
 * Circles are joined for the largest of these scales that the map has reached: they stay as they are while the map
 * moves, and never overlap. Two for each doubling.
 */
export function levelOf(scale: number): number {
  return 2 ** (Math.floor(Math.log2(scale) * 2 + 1e-9) / 2);
}

/**
 * Returns the area to request: larger than the visible one, so that a short move needs no request. Returns `before`
 * while that still covers the view.
 */
export function viewToAsk(before: MapView | null, transform: ZoomTransform, size: Size): MapView {
  const scale = levelOf(transform.k);
  const visible = inWorld(boxOf(transform, size));
  if (before !== null && before.scale === scale && contains(before, visible)) return before;
  return { scale, ...inWorld(boxOf(transform, size, 0.25)) };
}

function inWorld({ left, top: up, right, bottom: down }: Box): Box {
  const [[west, highest], [east, deepest]] = worldBounds;
  return {
    left: Math.max(left, west),
    top: Math.max(up, highest),
    right: Math.min(right, east),
    bottom: Math.min(down, deepest),
  };
}
