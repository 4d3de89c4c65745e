/**
 * Countries (ISO 3166-1 alpha-2) with a single timezone everywhere that parcels go, as IANA zone (tzdata,
 * `zone1970.tab`).
 */
const countryZones: Readonly<Record<string, string>> = {
  AE: 'Asia/Dubai',
  AT: 'Europe/Vienna',
  BE: 'Europe/Brussels',
  BG: 'Europe/Sofia',
  BH: 'Asia/Bahrain',
  CH: 'Europe/Zurich',
  CN: 'Asia/Shanghai',
  CO: 'America/Bogota',
  CZ: 'Europe/Prague',
  DE: 'Europe/Berlin',
  DK: 'Europe/Copenhagen',
  EE: 'Europe/Tallinn',
  EG: 'Africa/Cairo',
  FI: 'Europe/Helsinki',
  FR: 'Europe/Paris',
  GB: 'Europe/London',
  GR: 'Europe/Athens',
  HK: 'Asia/Hong_Kong',
  HR: 'Europe/Zagreb',
  HU: 'Europe/Budapest',
  IE: 'Europe/Dublin',
  IL: 'Asia/Jerusalem',
  IN: 'Asia/Kolkata',
  IS: 'Atlantic/Reykjavik',
  IT: 'Europe/Rome',
  JP: 'Asia/Tokyo',
  KE: 'Africa/Nairobi',
  KR: 'Asia/Seoul',
  LT: 'Europe/Vilnius',
  LU: 'Europe/Luxembourg',
  LV: 'Europe/Riga',
  MA: 'Africa/Casablanca',
  MY: 'Asia/Kuala_Lumpur',
  NG: 'Africa/Lagos',
  NL: 'Europe/Amsterdam',
  NO: 'Europe/Oslo',
  PE: 'America/Lima',
  PH: 'Asia/Manila',
  PK: 'Asia/Karachi',
  PL: 'Europe/Warsaw',
  QA: 'Asia/Qatar',
  RO: 'Europe/Bucharest',
  RS: 'Europe/Belgrade',
  SA: 'Asia/Riyadh',
  SE: 'Europe/Stockholm',
  SG: 'Asia/Singapore',
  SI: 'Europe/Ljubljana',
  SK: 'Europe/Bratislava',
  TH: 'Asia/Bangkok',
  TR: 'Europe/Istanbul',
  TW: 'Asia/Taipei',
  VN: 'Asia/Ho_Chi_Minh',
  ZA: 'Africa/Johannesburg',
};

const eastern = 'CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV'.split(' ');
const central = 'AL AR IA IL LA MN MO MS OK WI'.split(' ');
const mountain = 'CO MT NM UT WY'.split(' ');
const pacific = 'CA WA'.split(' ');

/** US states and Canadian provinces with a single timezone. Those with two zones are omitted. */
const stateZones: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  US: {
    ...zoneOfAll(eastern, 'America/New_York'),
    ...zoneOfAll(central, 'America/Chicago'),
    ...zoneOfAll(mountain, 'America/Denver'),
    ...zoneOfAll(pacific, 'America/Los_Angeles'),
    HI: 'Pacific/Honolulu',
    PR: 'America/Puerto_Rico',
  },
  CA: { AB: 'America/Edmonton', MB: 'America/Winnipeg', NS: 'America/Halifax', NB: 'America/Moncton' },
};

/** The timezone of an address from its country and state. Null where these have more than one. */
export function timezoneOfAddress(country: string | null, state: string | null): string | null {
  if (country === null) return null;
  return countryZones[country] ?? stateZones[country]?.[state?.toUpperCase() ?? ''] ?? null;
}

function zoneOfAll(states: readonly string[], timezone: string): Record<string, string> {
  return Object.fromEntries(states.map((state) => [state, timezone]));
}
