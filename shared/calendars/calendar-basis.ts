import type { CalendarBasis } from '#shared/domain/record/free-time.ts';
import { undecidedYears } from './own-years.ts';

/** Countries of the largest container ports whose days of 2026 and 2027 were compared with a second source. */
const comparedCountries: ReadonlySet<string> = new Set(
  `AE AU BD BE BR CA CL CN CO DE EC EG ES FR GB GR HK ID IL IN IT JP KR LK MA MX MY NL OM PA PE PH PK PL PT SA SG TH TR
  TW US VN ZA`.split(/\s+/),
);

/** Countries whose days off follow the moon or a notice for the year. */
const noticeCountries: ReadonlySet<string> = new Set(
  'AE BD CN EG HK ID IL IN KR LK MA MY OM PH PK SA SG TH TR TW VN'.split(' '),
);

const comparedYears: readonly string[] = ['2026', '2027'];
/** These days are from date-holidays, those of Eid by the sight of the moon. */
const moonYears: readonly string[] = ['PK 2026', 'PK 2027', 'SA 2027'];

/** The certainty of the days off of a country's year. */
export function calendarBasisOf(country: string, year: string): CalendarBasis {
  if (!comparedCountries.has(country)) return 'unchecked';
  const isOpen = noticeCountries.has(country) && !comparedYears.includes(year);
  const key = `${country} ${year}`;
  return isOpen || undecidedYears.has(key) || moonYears.includes(key) ? 'provisional' : 'checked';
}
