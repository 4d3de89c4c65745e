import { localTime } from '../voyages/local-time.ts';

/** A moment (ms) as digits at the place: `{ date: '20260402', time: '071356', offset: '+02:00' }`. */
export function localDigits(ms: number, zone: string): { date: string; time: string; offset: string } {
  const local = localTime(ms, zone);
  return {
    date: local.slice(0, 10).replaceAll('-', ''),
    time: local.slice(11, 19).replaceAll(':', ''),
    offset: local.slice(19),
  };
}
