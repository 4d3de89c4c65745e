const formats = new Map<string, Intl.DateTimeFormat>();

/** An instant (ms) as local time with the zone's true offset at that moment: `2026-07-04T09:30:00+02:00`. */
export function localTime(ms: number, zone: string): string {
  const offset = offsetText(ms, zone);
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  const shifted = ms + (offset.startsWith('-') ? -minutes : minutes) * 60_000;
  return `${new Date(shifted).toISOString().slice(0, 19)}${offset}`;
}

/** An instant (ms) in UTC, to the second. */
export function utcTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** An instant (ms) as local digits: `{ date: '20260402', time: '071356', offset: '+02:00' }`. */
export function localDigits(ms: number, zone: string): { date: string; time: string; offset: string } {
  const local = localTime(ms, zone);
  return {
    date: local.slice(0, 10).replaceAll('-', ''),
    time: local.slice(11, 19).replaceAll(':', ''),
    offset: local.slice(19),
  };
}

function offsetText(ms: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  const name = format.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  return name.length > 3 ? name.slice(3, 9) : '+00:00';
}
