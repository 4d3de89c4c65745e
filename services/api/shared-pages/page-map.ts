import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type GeoPermissibleObjects, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { Locate } from '#shared/domain/lists/map-places.ts';
import type { LngLat } from '#shared/domain/positions/sea-waypoints.ts';
import { fitRoute } from '#shared/route-map/fit-route.ts';
import { pointsOf } from '#shared/route-map/route-line.ts';
import { shownRoute } from '#shared/route-map/shown-route.ts';
import { placeName } from '#shared/route-map/stops.ts';

export type MapSize = { width: number; height: number };

/** A map as drawing instructions: a page and a picture give them their own colors and labels. */
export type PageMap = MapSize & {
  land: string;
  done: string[];
  ahead: string[];
  ports: { x: number; y: number; isAhead: boolean }[];
  /** Some places were found by their name alone. */
  isApproximate: boolean;
  position: { x: number; y: number } | null;
  /** The first and the last place, as shares of the width and the height. */
  ends: { name: string; left: number; top: number; isStart: boolean }[];
};

let land: GeoPermissibleObjects | null = null;

/** The route of a shipment, or null when too few places of it are known. `locate` finds places that are only named. */
export function pageMapOf(record: WireShipment, size: MapSize, locate: Locate = () => null): PageMap | null {
  const { line, approximate } = shownRoute(record, { locate });
  if (line === null) return null;
  const { width, height } = size;
  const side = Math.round(width * 0.14);
  const frame = {
    width,
    height,
    top: Math.round(height * 0.18),
    right: side,
    bottom: Math.round(height * 0.16),
    left: side,
  };
  const projection = fitRoute([...line.done, ...line.ahead], pointsOf(line), frame);
  // Whole units: the coastline is the largest part of the page.
  const coarse = geoPath(projection).digits(0);
  const path = geoPath(projection).digits(1);
  const chain = (coordinates: LngLat[]) =>
    path({ type: 'LineString', coordinates: coordinates.map(([lng, lat]) => [lng, lat]) }) ?? '';
  const at = ([lng, lat]: LngLat) => {
    const [x, y] = projection([lng, lat]) ?? [0, 0];
    return { x: round(x), y: round(y) };
  };
  const ends = [line.ports[0], line.ports.length > 1 ? line.ports.at(-1) : undefined];
  return {
    width,
    height,
    land: coarse(readLand()) ?? '',
    done: line.done.map(chain),
    ahead: line.ahead.map(chain),
    ports: line.ports.map((port) => ({ ...at(port.at), isAhead: port.stop.state === 'ahead' })),
    isApproximate: approximate.length > 0,
    position: line.position === null ? null : at(line.position.at),
    ends: ends.flatMap((port, index) => {
      if (port === undefined) return [];
      const { x, y } = at(port.at);
      return [{ name: placeName(port.stop.place), left: x / width, top: y / height, isStart: index === 0 }];
    }),
  };
}

/** The coastlines (Natural Earth, 1:110 million), read with the first map. */
function readLand(): GeoPermissibleObjects {
  if (land === null) {
    const file = createRequire(import.meta.url).resolve('world-atlas/land-110m.json');
    const topology = JSON.parse(readFileSync(file, 'utf8'));
    land = feature(topology, topology.objects.land) as GeoPermissibleObjects;
  }
  return land;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
