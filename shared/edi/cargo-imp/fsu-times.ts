const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const dayMs = 86_400_000;

/** The date and time of a status line: `16OCT1317`, `16OCT`. `date` has eight digits. */
export type FsuTime = { date: string; time: string | null };

/**
 * Reads the date of a status line. Cargo-IMP dates have no year: it is that of the last such day until `latestMs`. Null:
 * no date.
 */
export function readFsuDate(written: string, latestMs: number): FsuTime | null {
  const match = /^(\d{2})([A-Z]{3})(\d{4})?$/.exec(written);
  const month = months.indexOf(match?.[2] ?? '');
  if (match === null || month < 0) return null;
  const day = Number(match[1]);
  const lastYear = new Date(latestMs).getUTCFullYear();
  // 29 February was up to eight years ago.
  for (let year = lastYear; year > lastYear - 9; year--) {
    const date = new Date(Date.UTC(year, month, day));
    if (date.getUTCDate() === day && date.getTime() <= latestMs)
      return { date: digitsOf(date), time: match[3] ?? null };
  }
  return null;
}

/** A time of departure or arrival: `A1117-P`. `kind`: actual, estimated or scheduled. */
export type MovementTime = { kind: 'A' | 'E' | 'S'; date: string; time: string };

/** Days that a day change indicator adds: the previous day, the next one, and those after it. */
const dayChanges: Readonly<Record<string, number>> = { P: -1, N: 1, S: 2, T: 3, A: 4, B: 5, C: 6, D: 7, E: 8 };

/** The time of a movement on the day of its line. Null: the field has none. */
export function readMovementTime(field: string | undefined, date: string): MovementTime | null {
  const match = /^([AES])(\d{4})(?:-([A-Z]))?$/.exec(field ?? '');
  const days = match?.[3] === undefined ? 0 : dayChanges[match[3]];
  if (match === null || days === undefined) return null;
  const ms = Date.UTC(Number(date.slice(0, 4)), Number(date.slice(4, 6)) - 1, Number(date.slice(6))) + days * dayMs;
  return { kind: match[1] as MovementTime['kind'], date: digitsOf(new Date(ms)), time: match[2] ?? '' };
}

function digitsOf(date: Date): string {
  return date.toISOString().slice(0, 10).replaceAll('-', '');
}
