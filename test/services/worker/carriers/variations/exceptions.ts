import { type ConnectorCode, connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';

/**
 * Connectors that a relation doesn't hold for, or that have nothing to vary, with the reason. `fixture`: only for those
 * whose names start so.
 */
export type Exception = {
  relation: string;
  connectors: readonly ConnectorCode[];
  fixture?: string;
  reason: string;
};

const dcsa = [
  'cma-cgm',
  'dcsa',
  'evergreen',
  'hapag-lloyd',
  'hmm',
  'maersk',
  'msc',
  'one',
  'yang-ming',
  'zim',
] as const;
const parcels = ['dhl', 'fedex', 'gls', 'ups', 'usps'] as const;
const allBut = (...codes: readonly ConnectorCode[]) => connectorCodes.filter((code) => !codes.includes(code));

const noCodeAndWords = 'Its events have codes or words, and not both.';
const noSummary = 'Its answer has no summary beside the events.';
const oneUse = 'Its numbers are not given out again, or name one document.';
const noAddress = 'Its places have a code or one text, and no address.';
const unlocodes = 'Its places have a UN/LOCODE.';
const noUnlocodes = 'Its places have no UN/LOCODE.';
const noneSo = 'No fixture has one.';
const instants = 'It states instants. A vessel, a train or a plane may move at midnight.';
const ownOffset = 'The fixture has an offset that its place doesn’t have.';
const twoMeanings = 'The words name another step than the code, which counts.';

export const exceptions: readonly Exception[] = [
  { relation: 'words in upper and lower case', connectors: ['lufthansa-cargo'], reason: 'Its answer has codes alone.' },
  ...['codes removed, words left', 'words removed, codes left'].map((relation) => ({
    relation,
    connectors: ['cosco', 'lufthansa-cargo'] as const,
    reason: noCodeAndWords,
  })),
  {
    relation: 'codes removed, words left',
    connectors: ['ups'],
    fixture: 'a hold that the agency ended',
    reason: twoMeanings,
  },
  {
    relation: 'codes removed, words left',
    connectors: ['ups'],
    fixture: 'facility scans with two',
    reason: twoMeanings,
  },
  { relation: 'codes removed, words left', connectors: ['fedex'], fixture: 'a reused number', reason: twoMeanings },
  { relation: 'codes removed, words left', connectors: ['dhl'], fixture: 'the official example', reason: twoMeanings },
  ...['list removed, summary left', 'summary removed, list left', 'summary newer than the list'].map((relation) => ({
    relation,
    connectors: [...dcsa, 'one-record', 'nmfta-dsdc'] as const,
    reason: noSummary,
  })),
  {
    relation: 'list removed, summary left',
    connectors: ['usps'],
    reason: 'Its category has no time of its own, and an event needs one.',
  },
  ...['an older finished shipment of the number', 'events of an older finished shipment of the number in the list'].map(
    (relation) => ({ relation, connectors: allBut(...parcels), reason: oneUse }),
  ),
  {
    relation: 'an older finished shipment of the number',
    connectors: ['usps'],
    reason: 'Its answer is about one package.',
  },
  ...[
    'place as "TOWN - COUNTRY"',
    'town with its state in one field',
    'name of the place alone',
    'both ends in one town',
  ].map((relation) => ({
    relation,
    connectors: ['cosco', 'lufthansa-cargo', 'one-record'] as const,
    reason: noAddress,
  })),
  {
    relation: 'offset removed where the place has one',
    connectors: ['ups'],
    reason: 'Its offset is a field of its own.',
  },
  ...['a reused number', 'an empty error', 'a hold at a location', 'a delivery exception', 'a weather delay'].map(
    (fixture) => ({
      relation: 'offset removed where the place has one',
      connectors: ['fedex'] as const,
      fixture,
      reason: ownOffset,
    }),
  ),
  {
    relation: 'offset removed where the place has one',
    connectors: ['evergreen'],
    fixture: 'PLAN, empty strings',
    reason: ownOffset,
  },
  {
    relation: 'offset removed where the place has one',
    connectors: ['dhl'],
    fixture: 'all fields, 5',
    reason: ownOffset,
  },
  {
    relation: 'offset in some scans of a place alone',
    connectors: ['cosco', 'lufthansa-cargo', 'one-record', 'ups', 'usps', 'hapag-lloyd'],
    reason: 'Its times have no offset, or a field of their own for it.',
  },
  {
    relation: 'midnight without an offset',
    connectors: allBut('dhl', 'fedex', 'gls', 'usps', 'ups', 'cosco'),
    reason: instants,
  },
  {
    relation: 'a clock without a date beside a full instant',
    connectors: allBut('usps'),
    reason: 'Its times have their date.',
  },
  {
    relation: 'nothing as null, as an empty text, and absent',
    connectors: ['dcsa', 'dhl', 'hmm', 'one', 'one-record', 'yang-ming', 'zim'],
    reason: noneSo,
  },
  {
    relation: 'empty lists and objects absent',
    connectors: [
      ...(['cma-cgm', 'dhl', 'evergreen', 'hapag-lloyd', 'lufthansa-cargo', 'maersk'] as const),
      ...(['nmfta-dsdc', 'one', 'yang-ming', 'zim'] as const),
    ],
    reason: noneSo,
  },
  { relation: 'numbers as texts', connectors: ['gls', 'usps'], reason: 'Its answer has no numbers.' },
  ...['place as "TOWN - COUNTRY"', 'town with its state in one field', 'name of the place alone'].map((relation) => ({
    relation,
    connectors: dcsa,
    reason: unlocodes,
  })),
  {
    relation: 'place as "TOWN - COUNTRY"',
    connectors: ['usps'],
    reason: 'Its scans in the United States name no country.',
  },
  {
    relation: 'town with its state in one field',
    connectors: ['usps'],
    reason: 'Its scans in the United States name no country.',
  },
  { relation: 'town with its state in one field', connectors: ['gls'], reason: 'Its places have no state.' },
  { relation: 'both ends in one town', connectors: ['hmm'], reason: 'Its places are bare UN/LOCODEs.' },
  { relation: 'a port by its name and country', connectors: ['hmm'], reason: 'Its places are bare UN/LOCODEs.' },
  { relation: 'another UN/LOCODE of the same port area', connectors: allBut(...dcsa), reason: noUnlocodes },
  {
    relation: 'another UN/LOCODE of the same port area',
    connectors: ['evergreen', 'hapag-lloyd', 'yang-ming'],
    reason: 'No fixture is at a port with several codes.',
  },
  { relation: 'a port by its name and country', connectors: allBut(...dcsa), reason: noUnlocodes },
  {
    relation: 'offset removed where the place has one',
    connectors: ['cosco', 'hapag-lloyd', 'lufthansa-cargo', 'one-record', 'usps'],
    reason: 'Its times have no offset, or are in UTC.',
  },
  {
    relation: 'midnight without an offset',
    connectors: ['cosco', 'ups'],
    reason: 'Its clock stands apart from its date, or without seconds.',
  },
  { relation: 'one piece of many', connectors: dcsa, reason: 'Its pieces are containers, which have a status each.' },
  {
    relation: 'one piece of many',
    connectors: ['cosco'],
    reason: 'Its pieces are containers, which have a status each.',
  },
  { relation: 'one piece of many', connectors: ['fedex', 'usps'], reason: 'Its answer is about one package.' },
  { relation: 'one piece of many', connectors: ['nmfta-dsdc'], reason: 'Its answer is about a whole load.' },
  {
    relation: 'one piece of many',
    connectors: ['one-record'],
    reason: 'Its pieces are objects of their own, behind links.',
  },
  {
    relation: 'nothing as null, as an empty text, and absent',
    connectors: ['lufthansa-cargo'],
    reason: 'It writes an empty list as an empty text. A list that is null is reported, as everywhere.',
  },
];
