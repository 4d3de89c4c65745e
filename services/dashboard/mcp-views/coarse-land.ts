/** The parts of a quantized TopoJSON topology that this file reads (TopoJSON 1.0, 2.1). */
export type Topology = {
  type: string;
  objects: { land: { type: string; geometries: { type: string; arcs: number[][][] }[] } };
  arcs: [number, number][][];
  transform: { scale: [number, number]; translate: [number, number] };
};

/** Steps of the grid of world-atlas that become one: about 3 km, a pixel of the smallest map. */
const coarser = 8;
/** No cargo goes further south: Antarctica is a tenth of all points. */
const minLat = -60;

/** The same coastlines in half the bytes: on a coarser grid, without Antarctica. */
export function coarseLand({ type, objects, arcs, transform }: Topology): Topology {
  const [scaleX, scaleY] = transform.scale;
  const [, south] = transform.translate;
  const isKept = (polygon: number[][]) =>
    polygon.flat().some((index) => topOf(arcs[index < 0 ? ~index : index] ?? []) * scaleY + south >= minLat);
  const geometries = objects.land.geometries.map((geometry) => ({ ...geometry, arcs: geometry.arcs.filter(isKept) }));
  const used = new Set(geometries.flatMap((one) => one.arcs.flat(2).map((index) => (index < 0 ? ~index : index))));
  return {
    type,
    objects: { land: { ...objects.land, geometries } },
    arcs: arcs.map((arc, index) => (used.has(index) ? coarseArc(arc) : [])),
    transform: { ...transform, scale: [scaleX * coarser, scaleY * coarser] },
  };
}

/** The largest second coordinate: arcs are chains of differences. */
function topOf(arc: readonly [number, number][]): number {
  let [y, top] = [0, Number.NEGATIVE_INFINITY];
  for (const [, step] of arc) {
    y += step;
    top = Math.max(top, y);
  }
  return top;
}

function coarseArc(arc: readonly [number, number][]): [number, number][] {
  const steps: [number, number][] = [];
  let [x, y, lastX, lastY] = [0, 0, 0, 0];
  for (const [index, [stepX, stepY]] of arc.entries()) {
    x += stepX;
    y += stepY;
    const [nextX, nextY] = [Math.round(x / coarser), Math.round(y / coarser)];
    // The last point stays, so that a closed line stays closed.
    if (index > 0 && index < arc.length - 1 && nextX === lastX && nextY === lastY) continue;
    steps.push([nextX - lastX, nextY - lastY]);
    [lastX, lastY] = [nextX, nextY];
  }
  return steps;
}
