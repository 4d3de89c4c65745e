/** Days off of a year, weekends apart, and the weekend days on which people work instead. */
export type OwnYear = { off: ReadonlySet<string>; worked: ReadonlySet<string> };

/**
 * Days off, weekends apart, of the country-years in which date-holidays 3.37.0 lacks days or has days that are none.
 * The second source is PyPI holidays 0.105 unless another is named; `second-source.test.ts` holds every difference from
 * it. `+` before a day: the government or the sight of the moon still decides about it; it counts as a day off.
 * `worked`: weekend days on which people work.
 *
 * AE: without Isra and the first of Ramadan, which are working days since 2019. BD: list of the Ministry of Public
 * Administration. CA: Canada Labour Code, Christmas on a Saturday. CN 2026: notice of the State Council, also in npm
 * chinese-days 1.5.7; CN 2027: the State Council's regulation, with its days in lieu. EC: law on moved holidays;
 * date-holidays has the Independence of Guayaquil on 10 September instead of 9 October. EG: holidays of a midweek day
 * are moved to Thursday; Eid al-Fitr of 2026 by decree of the Prime Minister, 19 to 23 March. GR: a Labour Day in Holy
 * Week is moved by decision. ID: decrees of three ministers, without collective leave. IN: gazetted holidays of the
 * central government. KR: with Labour Day and Constitution Day, public holidays since 2026. LK 2027: Thai Pongal, the
 * days of a fixed date and Good Friday alone. MA: with the Amazigh New Year on 14 January (decree 2.23.1000), which
 * date-holidays lacks and PyPI holidays has on 13 January. MY: federal holidays of the Cabinet's lists and Deepavali.
 * OM: royal decree 88/2022. PH: proclamations, with special non-working days. SG: Ministry of Manpower. TH: with days
 * in lieu and the Labour Day. TW: act of 2025 on holidays. VN: Labour Code, with days in lieu. ZA: with the day of the
 * local elections.
 */
const rows: Readonly<Record<string, { off: string; worked?: string }>> = {
  'AE 2026': { off: '01-01 +03-20 +05-26 +05-27 +05-28 +05-29 +06-16 +08-25 12-02 12-03' },
  'AE 2027': { off: '01-01 +03-09 +03-10 +03-11 +05-17 +05-18 12-02 12-03' },
  'BD 2026': { off: '02-04 03-17 03-22 03-23 03-26 04-14 05-28 08-05 08-26 12-16' },
  'BD 2027': { off: '+01-24 02-21 +03-07 +03-10 +03-11 04-14 +05-17 +05-18 +05-19 +06-16 08-05 +08-15 12-16' },
  'CA 2027': { off: '01-01 03-26 07-01 09-06 12-27' },
  'CN 2026': {
    off: `01-01 01-02 02-16 02-17 02-18 02-19 02-20 02-23 04-06 05-01 05-04 05-05 06-19 09-25 10-01 10-02 10-05 10-06
      10-07`,
    worked: '01-04 02-14 02-28 05-09 09-20 10-10',
  },
  'CN 2027': { off: '01-01 02-05 02-08 +02-09 +02-10 04-05 +05-03 +05-04 06-09 09-15 10-01 +10-04 +10-05' },
  'EC 2026': { off: '01-01 02-16 02-17 04-03 05-01 05-25 08-10 10-09 11-02 11-03 12-25' },
  'EC 2027': { off: '01-01 02-08 02-09 03-26 04-30 05-24 08-09 10-08 +11-01 11-02 +11-03' },
  'EG 2026': { off: '01-07 01-29 03-19 03-22 03-23 04-13 +05-26 +05-27 +05-28 +06-18 07-02 07-23 +08-25 10-08' },
  'EG 2027': { off: '01-07 +01-28 +03-09 +03-10 +03-11 +04-29 05-03 +05-16 +05-17 +05-18 +06-10 +07-01 +10-07' },
  'GR 2027': { off: '01-01 01-06 03-15 03-25 04-30 05-03 +05-04 06-21 10-28' },
  'ID 2026': { off: '01-01 01-16 02-17 03-19 04-03 05-01 05-14 05-27 06-01 06-16 08-17 08-25 12-25' },
  'ID 2027': { off: '01-01 01-05 03-08 +03-10 +03-11 03-26 05-06 +05-17 05-20 06-01 08-17' },
  'IN 2026': {
    off: `01-26 03-04 03-21 03-26 03-31 04-03 04-14 05-01 05-27 06-26 08-15 08-26 09-04 10-02 10-20 11-24 12-25`,
  },
  'IN 2027': {
    off: '01-26 +03-06 +03-10 +03-22 03-26 +04-14 +04-15 +05-17 +05-20 +06-16 08-15 +08-25 10-02 +10-09 +10-29 12-25',
  },
  'KR 2026': {
    off: `01-01 02-16 02-17 02-18 03-02 05-01 05-05 05-25 06-03 07-17 08-17 09-24 09-25 10-05 10-09 12-25`,
  },
  'KR 2027': {
    off: `01-01 02-08 02-09 03-01 05-03 05-05 05-13 07-19 08-16 09-14 09-15 09-16 10-04 10-11 12-27`,
  },
  'LK 2026': {
    off: `01-15 02-04 03-02 04-01 04-03 04-13 04-14 05-01 05-28 06-29 07-29 08-26 08-27 11-24 12-23 12-25`,
  },
  'LK 2027': { off: '+01-15 02-04 03-26 04-13 04-14' },
  'MA 2026': { off: '01-01 01-14 +03-20 05-01 +05-27 +05-28 +06-16 07-30 08-14 08-20 08-21 +08-25 +08-26 11-06 11-18' },
  'MA 2027': { off: '01-01 01-11 01-14 +03-09 +03-10 +05-17 07-30 08-20 11-18' },
  'MY 2026': { off: '02-17 02-18 03-20 03-23 05-01 05-27 06-01 06-02 06-17 08-25 08-31 09-16 11-09 12-25' },
  'MY 2027': { off: '02-08 03-10 03-11 05-17 05-20 06-07 08-16 08-31 09-16 10-28' },
  'OM 2026': { off: '01-11 +03-18 +03-19 +03-22 +05-26 +05-27 +05-28 +06-16 +08-25' },
  'OM 2027': {
    off: `+01-05 01-11 +03-08 +03-09 +03-10 +03-11 +05-16 +05-17 +05-18 +06-06 11-21`,
  },
  'PH 2026': {
    off: `01-01 02-17 03-20 04-02 04-03 04-09 05-01 05-27 06-12 08-21 08-31 11-02 11-30 12-08 12-24 12-25 12-30 12-31`,
  },
  'PH 2027': { off: '01-01 +03-09 03-25 03-26 04-09 08-30 11-01 11-02 11-30 12-08 12-24 12-30 12-31' },
  'SG 2027': { off: '01-01 02-08 03-10 03-26 05-17 05-20 08-09 10-28' },
  'TH 2026': {
    off: `01-01 01-02 03-03 04-06 04-13 04-14 04-15 05-01 05-04 06-01 06-03 07-28 07-29 07-30 08-12 10-13 10-23 12-07
      12-10 12-31`,
  },
  'TH 2027': {
    off: `01-01 02-22 04-06 04-13 04-14 04-15 05-03 05-04 05-20 06-03 07-19 07-20 07-28 08-12 10-13 10-25 12-06 12-10
      12-31`,
  },
  'TW 2026': {
    off: `01-01 02-16 02-17 02-18 02-19 02-20 02-27 04-03 04-06 05-01 06-19 09-25 09-28 10-09 10-26 12-25`,
  },
  'TW 2027': {
    off: `01-01 02-04 02-05 02-08 02-09 02-10 03-01 04-05 04-06 04-30 06-09 09-15 09-28 10-11 10-25 12-24 12-31`,
  },
  'VN 2026': { off: '01-01 02-16 02-17 02-18 02-19 02-20 04-27 04-30 05-01 09-01 09-02' },
  'VN 2027': { off: '01-01 +02-04 02-05 02-08 +02-09 +02-10 04-16 04-30 05-03 09-02 +09-03' },
  'ZA 2026': { off: '01-01 04-03 04-06 04-27 05-01 06-16 08-10 09-24 11-04 12-16 12-25' },
};

/** Country-years of which a day is not decided yet. */
export const undecidedYears: ReadonlySet<string> = new Set(
  Object.entries(rows).flatMap(([key, { off }]) => (off.includes('+') ? [key] : [])),
);

/** Every date in full, by country and year: `CN 2026`. */
export const ownYears: ReadonlyMap<string, OwnYear> = new Map(
  Object.entries(rows).map(([key, { off, worked = '' }]) => {
    const datesOf = (days: string) =>
      new Set(
        days
          .split(/\s+/)
          .filter((day) => day !== '')
          .map((day) => `${key.slice(3)}-${day.replace('+', '')}`),
      );
    return [key, { off: datesOf(off), worked: datesOf(worked) }];
  }),
);
