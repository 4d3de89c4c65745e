/** The release of the IANA time zone database that offsets follow, as far as the runtime is older. */
export const zoneRulesRelease = '2026f';

/** One offset for a time: `until` null is for good. */
type Rule = { fromMs: number; untilMs: number; offsetMs: number };

/**
 * Zones whose rules changed in 2026: instants in UTC between which one offset applies, and the offset in minutes. Since
 * 8 March 2026 British Columbia, and since 31 October and 1 November Alberta, the Northwest Territories and Manitoba keep
 * their summer time for good; Cuba keeps it through one winter; Morocco has left it. Runtimes learn such changes months
 * later. A test compares every zone with moment-timezone, which carries the release above: renew both together.
 */
const rows = `
  America/Vancouver 2026-03-08T10:00Z - -420, Canada/Pacific 2026-03-08T10:00Z - -420,
  America/Edmonton 2026-03-08T09:00Z - -360, Canada/Mountain 2026-03-08T09:00Z - -360,
  America/Yellowknife 2026-03-08T09:00Z - -360, America/Inuvik 2026-03-08T09:00Z - -360,
  America/Winnipeg 2026-03-08T08:00Z - -300, Canada/Central 2026-03-08T08:00Z - -300,
  America/Rainy_River 2026-03-08T08:00Z - -300, America/Havana 2026-03-08T05:00Z 2027-11-07T05:00Z -240,
  Cuba 2026-03-08T05:00Z 2027-11-07T05:00Z -240, Africa/Casablanca 2026-09-20T01:00Z - 0,
  Africa/El_Aaiun 2026-09-20T01:00Z - 0`;

const minuteMs = 60_000;

const rules = new Map<string, Rule>(
  rows.split(',').map((row) => {
    const [zone = '', from = '', until = '', minutes] = row.trim().split(/\s+/);
    const untilMs = until === '-' ? Number.POSITIVE_INFINITY : Date.parse(until);
    return [zone.toLowerCase(), { fromMs: Date.parse(from), untilMs, offsetMs: Number(minutes) * minuteMs }];
  }),
);

/** The offset in milliseconds where the rules are newer than a runtime's may be. Null: the runtime's apply. */
export function newerOffsetAt(timezone: string, instantMs: number): number | null {
  const rule = rules.get(timezone) ?? rules.get(timezone.toLowerCase());
  return rule !== undefined && instantMs >= rule.fromMs && instantMs < rule.untilMs ? rule.offsetMs : null;
}

/** The zones that have rules here. */
export const newerZones: readonly string[] = [...rules.keys()];
