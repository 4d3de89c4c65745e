/** A trade lane: loading ports, transshipment ports (in sailing order), discharge ports, and days at sea. */
export type Lane = {
  origins: readonly [string, ...string[]];
  hubs: readonly (readonly [string, ...string[]])[];
  destinations: readonly [string, ...string[]];
  seaDays: number;
};

/** The trade lanes of simulated shipments. */
export const lanes: readonly [Lane, ...Lane[]] = [
  {
    origins: ['CNSHA', 'CNNGB', 'CNTAO', 'CNXMN', 'CNSHK', 'KRPUS', 'TWKHH'],
    hubs: [
      ['SGSIN', 'MYTPP', 'MYPKG'],
      ['MAPTM', 'ESALG'],
    ],
    destinations: ['NLRTM', 'DEHAM', 'BEANR', 'GBFXT', 'FRLEH', 'DEBRV', 'SEGOT', 'PLGDN', 'DKAAR'],
    seaDays: 25,
  },
  {
    origins: ['CNSHA', 'CNNGB', 'CNSHK', 'VNVUT', 'THLCH'],
    hubs: [
      ['SGSIN', 'LKCMB'],
      ['EGPSD', 'GRPIR'],
    ],
    destinations: ['ESVLC', 'ITGOA'],
    seaDays: 21,
  },
  {
    origins: ['CNSHA', 'CNTAO', 'CNXMN', 'VNVUT', 'TWKHH'],
    hubs: [['KRPUS', 'JPYOK']],
    destinations: ['USLAX', 'USLGB', 'CAVAN'],
    seaDays: 17,
  },
  {
    origins: ['CNSHA', 'CNNGB', 'THLCH', 'VNVUT'],
    hubs: [['KRPUS'], ['PABLB']],
    destinations: ['USNYC', 'USSAV', 'USHOU', 'USORF'],
    seaDays: 24,
  },
  {
    origins: ['INNSA', 'AEJEA', 'LKCMB'],
    hubs: [
      ['OMSLL', 'SAJED'],
      ['MAPTM', 'ESALG'],
    ],
    destinations: ['NLRTM', 'DEHAM', 'BEANR', 'GBFXT', 'GBSOU'],
    seaDays: 20,
  },
  {
    origins: ['NLRTM', 'DEHAM', 'BEANR', 'GBSOU', 'FRLEH'],
    hubs: [['ESALG', 'MAPTM']],
    destinations: ['USNYC', 'USORF', 'USSAV', 'USHOU'],
    seaDays: 14,
  },
  { origins: ['NLRTM', 'BEANR', 'DEHAM'], hubs: [['MAPTM', 'ESALG']], destinations: ['BRSSZ', 'ZADUR'], seaDays: 18 },
  { origins: ['CNSHA', 'CNNGB', 'KRPUS'], hubs: [['MXZLO'], ['PABLB']], destinations: ['PECLL'], seaDays: 24 },
  { origins: ['CNSHA', 'CNTAO', 'THLCH'], hubs: [['SGSIN', 'MYTPP']], destinations: ['AUSYD', 'NZTRG'], seaDays: 17 },
];
