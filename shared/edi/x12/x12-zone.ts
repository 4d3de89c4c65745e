import { entryOf } from '#shared/domain/entry-of.ts';
import type { EdiZone } from '../edi-time.ts';

const zones: Readonly<Record<string, string>> = {
  ET: 'America/New_York',
  CT: 'America/Chicago',
  MT: 'America/Denver',
  PT: 'America/Los_Angeles',
  AT: 'America/Anchorage',
  HT: 'Pacific/Honolulu',
  NT: 'America/St_Johns',
  TT: 'America/Halifax',
};

/** Standard time in minutes from UTC. Daylight time is one hour ahead of it. */
const standard: Readonly<Record<string, number>> = {
  E: -300,
  C: -360,
  M: -420,
  P: -480,
  A: -540,
  H: -600,
  N: -210,
  T: -240,
};

/**
 * The zone that a time code of X12 (element 623) means: `LT` local, `UT`, `ET` with and `ES` without daylight time, `01`
 * to `12` hours ahead of UTC and `13` to `24` from 12 hours to 1 hour behind. No code means local time. Null: no code.
 */
export function x12Zone(code: string | null): ((placeTimezone: string | null) => EdiZone) | null {
  if (code === null || code === 'LT') return (timezone) => ({ kind: 'local', timezone });
  if (code === 'UT' || code === 'GM') return () => ({ kind: 'offset', minutes: 0 });
  const timezone = entryOf(zones, code);
  if (timezone !== undefined) return () => ({ kind: 'zone', timezone });
  if (/^(0[1-9]|1\d|2[0-4])$/.test(code)) {
    const hours = Number(code) <= 12 ? Number(code) : Number(code) - 25;
    return () => ({ kind: 'offset', minutes: hours * 60 });
  }
  const minutes = /^[A-Z][SD]$/.test(code) ? standard[code.charAt(0)] : undefined;
  if (minutes === undefined) return null;
  return () => ({ kind: 'offset', minutes: minutes + (code.charAt(1) === 'D' ? 60 : 0) });
}
