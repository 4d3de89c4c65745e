import { entryOf } from '#shared/domain/entry-of.ts';
import type { EdiDigits, EdiZone } from '../edi-time.ts';
import { part, type Segment } from '../segment.ts';

type Written = { digits: EdiDigits; zone: (placeTimezone: string | null) => EdiZone };

/** Formats of dates (element 2379): how many digits the date has, how many the time, and what follows them. */
const formats: Readonly<Record<string, { date: number; time: number; zone?: 'name' | 'offset' }>> = {
  '101': { date: 6, time: 0 },
  '102': { date: 8, time: 0 },
  '201': { date: 6, time: 4 },
  '202': { date: 6, time: 6 },
  '203': { date: 8, time: 4 },
  '204': { date: 8, time: 6 },
  '205': { date: 8, time: 4, zone: 'offset' },
  '303': { date: 8, time: 4, zone: 'name' },
  '304': { date: 8, time: 6, zone: 'name' },
};

/** The time of a DTM segment. Without a zone of its own it is local at its place. */
export function readDtm(segment: Segment): Written | { reason: string } {
  const [value, format] = [part(segment, 1, 2), part(segment, 1, 3) ?? '203'];
  const shape = entryOf(formats, format);
  if (value === null) return { reason: 'DTM has no date.' };
  if (shape === undefined) return { reason: `${format} is not a date format known to Landfall.` };
  const end = shape.date + shape.time;
  const digits = value.slice(0, end);
  const rest = value.slice(end);
  if (!/^\d+$/.test(digits) || digits.length !== end || (shape.zone === undefined && rest !== ''))
    return { reason: `${value} is not a date in the format ${format}.` };
  const zone = shape.zone === undefined ? localZone : zoneOf(rest, shape.zone);
  if (zone === null) return { reason: `${rest} is not a time zone.` };
  return {
    digits: { date: digits.slice(0, shape.date), time: shape.time === 0 ? null : digits.slice(shape.date) },
    zone,
  };
}

const localZone = (timezone: string | null) => ({ kind: 'local' as const, timezone });

/** `UTC`, `GMT` and `ZZZ` mean UTC and local time; other names are those of too many zones. */
function zoneOf(written: string, kind: 'name' | 'offset'): Written['zone'] | null {
  if (kind === 'name') {
    if (written === 'UTC' || written === 'GMT') return () => ({ kind: 'offset', minutes: 0 });
    return written === 'ZZZ' || written === '' ? localZone : null;
  }
  const match = /^([+-]?)(\d{2})(\d{2})$/.exec(written);
  if (match === null) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return () => ({ kind: 'offset', minutes: match[1] === '-' ? -minutes : minutes });
}
