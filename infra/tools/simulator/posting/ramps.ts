/** An intermodal ramp of a simulated railway. `short` is used in train names. */
export type Ramp = { unlocode: string; facility: string; short: string; zone: string };

const losAngeles = { unlocode: 'USLAX', facility: 'Hobart Yard', short: 'LAC', zone: 'America/Los_Angeles' };
const chicago = { unlocode: 'USCHI', facility: 'Corwith Ramp', short: 'CHI', zone: 'America/Chicago' };
const kansasCity = { unlocode: 'USMKC', facility: 'Argentine Yard', short: 'KCK', zone: 'America/Chicago' };
const dallas = { unlocode: 'USDAL', facility: 'Alliance Ramp', short: 'ALT', zone: 'America/Chicago' };
const memphis = { unlocode: 'USMEM', facility: 'Tennessee Yard', short: 'MEM', zone: 'America/Chicago' };
const atlanta = { unlocode: 'USATL', facility: 'Fairburn Ramp', short: 'FAI', zone: 'America/New_York' };

/** Origin, interchange and destination. */
export const rampRoutes: readonly [readonly [Ramp, Ramp, Ramp], ...(readonly [Ramp, Ramp, Ramp])[]] = [
  [losAngeles, kansasCity, chicago],
  [losAngeles, dallas, atlanta],
  [chicago, memphis, atlanta],
  [atlanta, memphis, dallas],
];
