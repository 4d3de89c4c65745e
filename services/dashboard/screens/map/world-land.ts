import { type GeoPermissibleObjects, geoPath } from 'd3-geo';
import { type Box, projection } from '#shared/route-map/world-projection.ts';

/** Pixels by which a drawn coastline may differ. */
const tolerancePx = 0.45;
const maxDetail = 5;

/** Pixels outside of what is drawn. */
const roughPx = 12;

type Ring = { xs: number[]; ys: number[] };
/** The coastlines in units of the map. */
export type Land = readonly Ring[];

/** Projects the coastlines once: 100,000 points take longer than a frame. */
export function landOf(land: GeoPermissibleObjects): Land {
  const rings: Ring[] = [];
  let ring: Ring = { xs: [], ys: [] };
  geoPath(projection, {
    beginPath: () => undefined,
    arc: () => undefined,
    closePath: () => undefined,
    moveTo: (x, y) => {
      ring = { xs: [x], ys: [y] };
      rings.push(ring);
    },
    lineTo: (x, y) => {
      ring.xs.push(x);
      ring.ys.push(y);
    },
  })(land);
  return rings;
}

/** The detail that a scale needs: 0 for the whole world. */
export function detailOf(scale: number): number {
  return Math.min(Math.max(Math.ceil(Math.log2(scale)), 0), maxDetail);
}

/**
 * The coastlines as a path, for the part of the map in the box. Points that are nearer than a pixel and islands that are
 * smaller are left out, and more of them outside the box: each frame draws the whole path.
 */
export function landPath(land: Land, { box, detail }: { box: Box; detail: number }): string {
  const scale = 2 ** detail;
  const [fine, rough] = [tolerancePx / scale, roughPx / scale];
  return land.map((ring) => ringPath(ring, box, { fine, rough })).join('');
}

function ringPath({ xs, ys }: Ring, box: Box, { fine, rough }: { fine: number; rough: number }): string {
  const kept: string[] = [];
  let [lastX, lastY] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [index, x] of xs.entries()) {
    const y = ys[index] ?? 0;
    const isInside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    const minStep = isInside ? fine : rough;
    if (Math.abs(x - lastX) < minStep && Math.abs(y - lastY) < minStep) continue;
    kept.push(`${x.toFixed(3)},${y.toFixed(3)}`);
    [lastX, lastY] = [x, y];
  }
  return kept.length < 3 ? '' : `M${kept.join('L')}Z`;
}
