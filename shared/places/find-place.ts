import tzLookup from '@photostructure/tz-lookup';
import seaPorts from 'sea-ports';
import type { Place } from '#shared/domain/tracking/event.ts';
import { findAirport } from './airports.ts';
import { isTimezone } from './instant-of.ts';

/** A UN/LOCODE's place. `country` is ISO 3166-1 alpha-2, `timezone` IANA. */
export type KnownPlace = {
  unlocode: string;
  name: string;
  country: string;
  lat: number | null;
  lng: number | null;
  timezone: string | null;
};

/** Container ports missing from the port list. Coordinates are in degrees, accurate to about a kilometre. */
const missingPorts = [
  { unlocode: 'VNCMT', name: 'Cai Mep', lat: 10.53, lng: 107.03, timezone: 'Asia/Ho_Chi_Minh' },
  { unlocode: 'EGPSE', name: 'Port Said East', lat: 31.22, lng: 32.35, timezone: 'Africa/Cairo' },
  { unlocode: 'EGPSW', name: 'Port Said West', lat: 31.25, lng: 32.3, timezone: 'Africa/Cairo' },
  { unlocode: 'NGLKK', name: 'Lekki', lat: 6.43, lng: 4.01, timezone: 'Africa/Lagos' },
] as const;

const unlocodePattern = /^[A-Z]{2}[A-Z2-9]{3}$/;
const found = new Map<string, KnownPlace | null>();
let entries: Map<string, PortEntry> | null = null;

type PortEntry = { name: string; lat: number | null; lng: number | null; timezone: string | null };

/**
 * The place with this UN/LOCODE, in any case and with or without the space. Null when it is malformed or not in the
 * list.
 */
export function findPlace(unlocode: string | null): KnownPlace | null {
  const code = normalizeUnlocode(unlocode);
  if (code === null) return null;
  const known = found.get(code);
  if (known !== undefined) return known;
  const place = describe(code);
  if (place) found.set(code, place);
  return place;
}

/** Normalizes a UN/LOCODE (`NLRTM`). Null when it is not one. */
export function normalizeUnlocode(text: string | null): string | null {
  const code = text?.replace(/\s+/g, '').toUpperCase() ?? '';
  return unlocodePattern.test(code) ? code : null;
}

/** The IANA zone of a point (latitude and longitude in degrees). Null for invalid coordinates. */
export function findTimezone(lat: number | null, lng: number | null): string | null {
  if (lat === null || lng === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) return null;
  const timezone = tzLookup(lat, lng);
  return isTimezone(timezone) ? timezone : null;
}

/**
 * Adds missing fields by airport or UN/LOCODE: name, country, coordinates and zone. The carrier's own values stay,
 * except the name of a known place.
 */
export function enrichPlace(place: Place): Place {
  const airport = findAirport(place.iata);
  const unlocode = normalizeUnlocode(place.unlocode) ?? airport?.unlocode ?? null;
  const known = airport === null ? findPlace(unlocode) : { ...airport, timezone: null };
  const hasPoint = place.lat !== null && place.lng !== null;
  const lat = hasPoint ? place.lat : (known?.lat ?? null);
  const lng = hasPoint ? place.lng : (known?.lng ?? null);
  return {
    ...place,
    unlocode,
    iata: airport?.iata ?? place.iata,
    name: known?.name ?? place.name,
    country: known?.country ?? unlocode?.slice(0, 2) ?? place.country,
    lat,
    lng,
    timezone: known?.timezone ?? place.timezone ?? findTimezone(lat, lng),
  };
}

function describe(code: string): KnownPlace | null {
  entries ??= indexPorts();
  const entry = entries.get(code);
  if (!entry) return null;
  const { name, lat, lng } = entry;
  const timezone = entry.timezone !== null && isTimezone(entry.timezone) ? entry.timezone : findTimezone(lat, lng);
  return { unlocode: code, name, country: code.slice(0, 2), lat, lng, timezone };
}

function indexPorts(): Map<string, PortEntry> {
  const index = new Map<string, PortEntry>();
  for (const port of missingPorts) index.set(port.unlocode, { ...port, timezone: port.timezone });
  const ports = Object.entries(seaPorts.JSON);
  for (const [code, port] of ports) index.set(code, toEntry(port));
  // An alternative code of one port never replaces another port's own entry.
  for (const [, port] of ports) for (const other of port.unlocs) if (!index.has(other)) index.set(other, toEntry(port));
  return index;
}

function toEntry(port: { name: string; coordinates?: [number, number]; timezone?: string }): PortEntry {
  return {
    name: port.name,
    lng: port.coordinates?.[0] ?? null,
    lat: port.coordinates?.[1] ?? null,
    timezone: port.timezone ?? null,
  };
}
