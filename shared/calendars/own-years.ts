/** Days off of a year, weekends apart, and the weekend days on which people work instead. */
export type OwnYear = { off: ReadonlySet<string>; worked: ReadonlySet<string> };

/**
 * Years of countries whose days off a government sets one by one, in place of those of date-holidays 3.37.0, which lacks
 * some of them and all worked weekends. China: notice of the State Council for 2026, as npm chinese-days 1.5.7 and PyPI
 * holidays 0.105 have it. The notice for 2027 is in neither yet.
 */
const rows: Readonly<Record<string, { off: string; worked: string }>> = {
  'CN 2026': {
    off: `01-01 01-02 02-16 02-17 02-18 02-19 02-20 02-23 04-06 05-01 05-04 05-05 06-19 09-25 10-01 10-02 10-05 10-06
      10-07`,
    worked: '01-04 02-14 02-28 05-09 09-20 10-10',
  },
};

/** Every date in full, by country and year: `CN 2026`. */
export const ownYears: ReadonlyMap<string, OwnYear> = new Map(
  Object.entries(rows).map(([key, { off, worked }]) => {
    const datesOf = (days: string) => new Set(days.split(/\s+/).map((day) => `${key.slice(3)}-${day}`));
    return [key, { off: datesOf(off), worked: datesOf(worked) }];
  }),
);
