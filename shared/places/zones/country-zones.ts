import tzLookup from '@photostructure/tz-lookup';
import { isTimezone } from '#shared/domain/instant-of.ts';
import { setBounded } from '#shared/domain/set-bounded.ts';

/**
 * Countries with several zones and one clock: since 2010 these zones have shared every change. Xinjiang's own time
 * (Asia/Urumqi) is unofficial; schedules there are in Beijing time. Crimea's zone is Russia's too.
 */
const sharedClocks: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  CN: 'Asia/Shanghai',
  DE: 'Europe/Berlin',
  MY: 'Asia/Kuala_Lumpur',
  UA: 'Europe/Kyiv',
  UZ: 'Asia/Tashkent',
};

/** IANA's present names of zones for which the runtime (CLDR) keeps the former one (tzdata, `backward`). */
const presentNames: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Names come from carriers, in any case. */
const maxNames = 1000;
const canonicalNames = new Map<string, string>();
const zonesByCountry = new Map<string, ReadonlySet<string>>();

/** True when the IANA zone, under any of its names, is one of the country's (ISO 3166-1 alpha-2). */
export function isZoneOfCountry(timezone: string, country: string): boolean {
  return isTimezone(timezone) && zonesOf(country).has(canonicalName(timezone));
}

/** The IANA zone that applies everywhere in the country. Null: it has several, or there is no such country. */
export function onlyZoneOf(country: string): string | null {
  const shared = sharedClocks[country];
  if (shared !== undefined) return shared;
  const [zone, ...others] = zonesOf(country);
  return zone === undefined || others.length > 0 ? null : presentName(zone);
}

/** The IANA zones of the country. */
export function zonesOfCountry(country: string): readonly string[] {
  return [...zonesOf(country)].map(presentName);
}

/** The zone under its present IANA name. */
export function presentName(timezone: string): string {
  return presentNames[timezone] ?? timezone;
}

/** The IANA zone of a point (latitude and longitude in degrees). Null for invalid coordinates and the open sea. */
export function findTimezone(lat: number | null, lng: number | null): string | null {
  if (lat === null || lng === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) return null;
  const timezone = tzLookup(lat, lng);
  if (timezone === 'Asia/Urumqi') return onlyZoneOf('CN');
  return isTimezone(timezone) && !timezone.startsWith('Etc/') ? timezone : null;
}

/** Zones of the runtime's region data (CLDR, derived from tzdata's `zone.tab`). Node 20 has the property alone. */
type RegionLocale = { region?: string; getTimeZones?: () => string[] | undefined; timeZones?: string[] };

function zonesOf(country: string): ReadonlySet<string> {
  const known = zonesByCountry.get(country);
  if (known !== undefined) return known;
  if (!/^[A-Z]{2}$/.test(country)) return new Set();
  const locale: RegionLocale = new Intl.Locale(`und-${country}`);
  // A withdrawn code becomes its successor (AN: CW), which is another country.
  const names = locale.region === country ? (locale.getTimeZones?.() ?? locale.timeZones ?? []) : [];
  const zones = new Set(names.map(canonicalName));
  zonesByCountry.set(country, zones);
  return zones;
}

function canonicalName(timezone: string): string {
  const known = canonicalNames.get(timezone);
  if (known !== undefined) return known;
  const name = new Intl.DateTimeFormat('en-US', { timeZone: timezone }).resolvedOptions().timeZone;
  return setBounded(canonicalNames, { key: timezone, value: name, max: maxNames });
}
