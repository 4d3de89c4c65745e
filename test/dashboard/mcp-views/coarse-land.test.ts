import { readFileSync } from 'node:fs';
import { feature } from 'topojson-client';
import { expect, it } from 'vitest';
import { coarseLand, type Topology } from '#services/dashboard/mcp-views/coarse-land.ts';

const whole: Topology = JSON.parse(readFileSync('node_modules/world-atlas/land-110m.json', 'utf8'));

/** The rings of all polygons, as longitude and latitude. */
function ringsOf(topology: Topology): [number, number][][] {
  const { features } = feature(topology as never, topology.objects.land as never) as unknown as {
    features: { geometry: { coordinates: [number, number][][][] } }[];
  };
  return features.flatMap(({ geometry }) => geometry.coordinates.flat());
}

it('keeps every coast north of Antarctica to 3 km, with closed rings', () => {
  const [before, after] = [ringsOf(whole), ringsOf(coarseLand(whole))];
  const north = before.filter((ring) => ring.some(([, lat]) => lat >= -60));
  expect(after).toHaveLength(north.length);
  for (const [index, ring] of after.entries()) {
    expect(ring.at(-1)).toEqual(ring[0]);
    const lost = (north[index] ?? []).filter(
      ([lng, lat]) => !ring.some(([x, y]) => Math.abs(x - lng) <= 0.03 && Math.abs(y - lat) <= 0.015),
    );
    expect(lost).toEqual([]);
  }
});
