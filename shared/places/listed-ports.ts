import seaPorts from 'sea-ports';
import { findTimezone, isZoneOfCountry, onlyZoneOf } from './zones/country-zones.ts';

/** A row of the port list. Coordinates that cannot be right are null. `timezone` is unchecked. */
export type ListedPort = {
  unlocode: string;
  name: string;
  lat: number | null;
  lng: number | null;
  timezone: string | null;
};

/** A port is at most this far from land of its country, in degrees of latitude and longitude. */
const nearDegrees = 0.6;
const around = [-nearDegrees, 0, nearDegrees];

let listed: Map<string, ListedPort> | null = null;

/** The port list. Reading it takes about 50 ms, so it is read on first use. */
export function listedPorts(): ReadonlyMap<string, ListedPort> {
  listed ??= readListedPorts();
  return listed;
}

/** The port list by UN/LOCODE, alternative codes included, without coordinates in another country. */
function readListedPorts(): Map<string, ListedPort> {
  const ports = new Map<string, ListedPort>();
  const rows = Object.entries(seaPorts.JSON);
  for (const [code, row] of rows) ports.set(code, toPort(code, row));
  // An alternative code of one port never replaces another port's own row.
  for (const [, row] of rows)
    for (const other of row.unlocs) if (!ports.has(other)) ports.set(other, toPort(other, row));
  return ports;
}

function toPort(
  unlocode: string,
  { name, coordinates, timezone }: { name: string; coordinates?: [number, number]; timezone?: string },
): ListedPort {
  return { unlocode, name, timezone: timezone ?? null, ...pointIn(unlocode.slice(0, 2), coordinates) };
}

/** About ten rows of the list have latitude and longitude exchanged, and a few lie in another country. */
function pointIn(country: string, coordinates: [number, number] | undefined) {
  const [lng, lat] = coordinates ?? [null, null];
  if (isNear(country, lat, lng)) return { lat, lng };
  return isNear(country, lng, lat) ? { lat: lng, lng: lat } : { lat: null, lng: null };
}

function isNear(country: string, lat: number | null, lng: number | null): boolean {
  if (lat === null || lng === null) return false;
  return around.some((north) => around.some((east) => isIn(country, findTimezone(lat + north, lng + east))));
}

/** Small islands have no zone of their own on the zone map, but their country's clock. */
function isIn(country: string, timezone: string | null): boolean {
  return timezone !== null && (isZoneOfCountry(timezone, country) || timezone === onlyZoneOf(country));
}
