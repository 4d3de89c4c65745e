import seaPorts from 'sea-ports';
import { mainPortCode } from '#shared/domain/events/port-areas.ts';
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

/**
 * Codes of Schedule D of the U.S. Census Bureau that the port list lacks or has for another place
 * (https://www.census.gov/foreign-trade/schedules/d/distcode.html).
 */
const ownScheduleCodes: readonly (readonly [string, string])[] = [
  ['1001', 'USNYC'],
  ['1501', 'USILM'],
  ['2904', 'USPDX'],
  ['3901', 'USCHI'],
  ['4909', 'PRSJU'],
];

/** Ports of a country that have no code of their own share one of these. */
const restOfCountry = /^\d{3}(00|99)$/;

let scheduled: Map<string, string> | null = null;

/**
 * UN/LOCODEs by the codes of Schedule D (U.S. ports, four digits) and Schedule K (other ports, five) as the port list has
 * them. A code that several ports share is left out.
 */
export function scheduledPorts(): ReadonlyMap<string, string> {
  scheduled ??= readScheduledPorts();
  return scheduled;
}

function readScheduledPorts(): Map<string, string> {
  const byCode = Map.groupBy(
    Object.entries(seaPorts.JSON).flatMap(([unlocode, { code }]) => (code === undefined ? [] : [{ code, unlocode }])),
    ({ code }) => code,
  );
  const ports = new Map<string, string>();
  for (const [code, rows] of byCode) {
    const [port, ...others] = new Set(rows.map(({ unlocode }) => mainPortCode(unlocode)));
    if (port === undefined || others.length > 0 || restOfCountry.test(code)) continue;
    const isDomestic = /^(US|PR|VI)/.test(port);
    // Ports of the Great Lakes have lost the leading zero of Schedule K, and a few rows have a code of the other list.
    const whole = isDomestic ? code : code.padStart(5, '0');
    if (isDomestic === (whole.length === 4)) ports.set(whole, port);
  }
  return new Map([...ports, ...ownScheduleCodes]);
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
