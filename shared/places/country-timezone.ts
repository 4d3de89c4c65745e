import { onlyZoneOf } from './country-zones.ts';

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
  return onlyZoneOf(country) ?? stateZones[country]?.[state?.toUpperCase() ?? ''] ?? null;
}

function zoneOfAll(states: readonly string[], timezone: string): Record<string, string> {
  return Object.fromEntries(states.map((state) => [state, timezone]));
}
