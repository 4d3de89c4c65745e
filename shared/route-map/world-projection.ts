import { geoNaturalEarth1 } from 'd3-geo';

/** Width of the world in units of the map. A scale of the zoom is pixels per unit. */
export const worldWidth = 1000;
/** Of the projection at radius 1. */
const unitWidth = 5.4708;
/** The latitudes with ports and airports. Antarctica is left out. */
export const [north, south] = [84, -58];

/** Natural Earth, in units of the map. Rotated so that the edge runs through the Bering Strait and splits no land. */
export const projection = geoNaturalEarth1()
  .rotate([-11, 0])
  .scale(worldWidth / unitWidth)
  .translate([0, 0])
  .precision(0.1);
const [, top = 0] = projection([11, north]) ?? [];
const [, bottom = 0] = projection([11, south]) ?? [];
projection.clipExtent([
  [-worldWidth / 2, top],
  [worldWidth / 2, bottom],
]);

/** The view stays within these corners, in units of the map. */
export const worldBounds = [
  [-worldWidth / 2, top],
  [worldWidth / 2, bottom],
] as const;

/** A part of the map, in its units. */
export type Box = { left: number; top: number; right: number; bottom: number };

export function contains(outer: Box, inner: Box): boolean {
  return (
    inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right && inner.bottom <= outer.bottom
  );
}

/** A part of the map, and the scale that its circles are joined for. */
export type MapView = Box & { scale: number };

/** `scale,left,top,right,bottom`. */
export function writeMapView({ scale, left, top: up, right, bottom: down }: MapView): string {
  return [Number(scale.toFixed(6)), ...[left, up, right, down].map((at) => Number(at.toFixed(2)))].join();
}

/** More than a wide screen asks for. The more circles a view has before they are joined, the longer that takes. */
const maxPixels = 20_000;

/** Reads what the contract has checked. */
export function readMapView(text: string): MapView {
  const [scale = 1, left = 0, up = 0, right = 0, down = 0] = text.split(',').map(Number);
  const closest = maxPixels / Math.max(right - left, 1);
  return { scale: Math.min(Math.max(scale, 0.01), closest), left, top: up, right, bottom: down };
}
