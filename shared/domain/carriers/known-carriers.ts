import type { TransportMode } from '../events/transport-mode.ts';
import type { ConnectorCode } from './known-connectors.ts';

/**
 * One carrier. `code` is what records contain: SCAC or reporting mark (ocean, road, rail), IATA code (air) or slug
 * (parcel). `connector` null: the carrier is known but this release can't query it. Prefixes: `blPrefixes` of its own B/L and
 * booking numbers, `containerPrefixes` (BIC owner codes) of the containers that it owns, `awbPrefixes` of its air
 * waybills. `postOf`: the countries (ISO 3166-1 alpha-2) whose postal items (UPU S10) it carries.
 */
export type Carrier = {
  code: string;
  name: string;
  modes: readonly TransportMode[];
  connector: ConnectorCode | null;
  blPrefixes: readonly string[];
  containerPrefixes: readonly string[];
  awbPrefixes: readonly string[];
  postOf: readonly string[];
  aliases: readonly string[];
  smdg: string | null;
};

type Details = Partial<
  Pick<Carrier, 'blPrefixes' | 'containerPrefixes' | 'awbPrefixes' | 'postOf' | 'aliases' | 'smdg'>
>;

const noDetails = { blPrefixes: [], containerPrefixes: [], awbPrefixes: [], postOf: [], aliases: [], smdg: null };

/** Every carrier that a client may name. Codes and prefixes come from public sources; doubtful ones are left out. */
export const carriers: readonly Carrier[] = [
  oceanLine('MAEU', 'Maersk', 'maersk', {
    blPrefixes: ['MAEU', 'SUDU'],
    containerPrefixes: ['MAEU', 'MSKU', 'MRKU', 'MRSU', 'MNBU', 'MMAU', 'PONU', 'HASU', 'SUDU'],
    aliases: ['SUDU', 'SEAU', 'SAFM', 'MCPU', 'Maersk Line', 'Hamburg Sud', 'Sealand', 'Safmarine'],
    smdg: 'MSK',
  }),
  oceanLine('HLCU', 'Hapag-Lloyd', 'hapag-lloyd', {
    containerPrefixes: ['HLCU', 'HLXU', 'HLBU', 'HAMU', 'UACU', 'UASU'],
    aliases: ['Hapag'],
    smdg: 'HLC',
  }),
  oceanLine('CMDU', 'CMA CGM', 'cma-cgm', {
    containerPrefixes: ['CMAU', 'CGMU', 'ECMU'],
    aliases: ['CNC', 'CNC Line'],
    smdg: 'CMA',
  }),
  oceanLine('ANNU', 'ANL', 'cma-cgm', { blPrefixes: ['ANNU', 'ANLC'], aliases: ['ANLC'] }),
  oceanLine('APLU', 'APL', 'cma-cgm', { containerPrefixes: ['APLU', 'APZU'], aliases: ['American President Lines'] }),
  oceanLine('MSCU', 'MSC', 'msc', {
    blPrefixes: ['MEDU', 'MSCU'],
    containerPrefixes: ['MSCU', 'MEDU', 'MSDU', 'MSMU'],
    aliases: ['MEDU', 'Mediterranean Shipping Company'],
    smdg: 'MSC',
  }),
  oceanLine('ONEY', 'Ocean Network Express', 'one', {
    containerPrefixes: ['ONEU', 'NYKU', 'KKFU', 'KKTU', 'MOAU', 'MOFU', 'MOTU'],
    smdg: 'ONE',
  }),
  oceanLine('EGLV', 'Evergreen', 'evergreen', {
    blPrefixes: ['EGLV', 'EISU'],
    containerPrefixes: ['EGHU', 'EGSU', 'EISU', 'EITU', 'EMCU'],
    aliases: ['EISU', 'Evergreen Line'],
    smdg: 'EMC',
  }),
  oceanLine('YMLU', 'Yang Ming', 'yang-ming', {
    blPrefixes: ['YMLU', 'YMJA'],
    containerPrefixes: ['YMLU', 'YMMU'],
    aliases: ['YMJA'],
    smdg: 'YML',
  }),
  oceanLine('ZIMU', 'ZIM', 'zim', { containerPrefixes: ['ZIMU', 'ZCSU'], smdg: 'ZIM' }),
  oceanLine('HDMU', 'HMM', 'hmm', {
    containerPrefixes: ['HDMU', 'HMMU'],
    aliases: ['Hyundai Merchant Marine'],
    smdg: 'HMM',
  }),
  oceanLine('COSU', 'COSCO', 'cosco', {
    containerPrefixes: ['CBHU', 'CCLU', 'CSLU', 'CSNU'],
    aliases: ['COSCO Shipping'],
    smdg: 'COS',
  }),
  oceanLine('OOLU', 'OOCL', null, { containerPrefixes: ['OOLU', 'OOCU'], aliases: ['Orient Overseas Container Line'] }),
  oceanLine('PCIU', 'Pacific International Lines', 'dcsa', {
    blPrefixes: ['PCIU', 'PABV'],
    containerPrefixes: ['PCIU'],
    aliases: ['PABV', 'PIL'],
  }),
  oceanLine('WHLC', 'Wan Hai', null, { containerPrefixes: ['WHLU'], aliases: ['Wan Hai Lines'] }),
  oceanLine('MATS', 'Matson', null, { containerPrefixes: ['MATU'] }),
  oceanLine('SMLM', 'SM Line', null),
  oceanLine('SMLU', 'Seaboard Marine', null, { containerPrefixes: ['SMLU'] }),
  oceanLine('ACLU', 'Atlantic Container Line', null, { containerPrefixes: ['ACLU'], aliases: ['ACL'] }),
  oceanLine('IILU', 'Independent Container Line', null),
  oceanLine('TRKU', 'Turkon Line', null, { containerPrefixes: ['TRKU'] }),
  oceanLine('WLWH', 'Wallenius Wilhelmsen', null),

  airline('LH', 'Lufthansa Cargo', '020'),
  airline('AF', 'Air France Cargo', '057'),
  airline('KL', 'KLM Cargo', '074'),
  airline('BA', 'British Airways World Cargo', '125', ['IAG Cargo']),
  airline('QR', 'Qatar Airways Cargo', '157'),
  airline('CX', 'Cathay Cargo', '160', ['Cathay Pacific']),
  airline('CV', 'Cargolux', '172'),
  airline('EK', 'Emirates SkyCargo', '176'),
  airline('KE', 'Korean Air Cargo', '180'),
  airline('TK', 'Turkish Cargo', '235', ['Turkish Airlines']),
  airline('CI', 'China Airlines Cargo', '297'),
  airline('SQ', 'Singapore Airlines Cargo', '618'),
  airline('OZ', 'Asiana Cargo', '988'),
  airline('AA', 'American Airlines Cargo', '001'),
  airline('DL', 'Delta Cargo', '006'),
  airline('AC', 'Air Canada Cargo', '014'),
  airline('UA', 'United Cargo', '016'),
  airline('FX', 'FedEx Express Air Cargo', '023'),
  airline('AS', 'Alaska Air Cargo', '027'),
  airline('LA', 'LATAM Cargo', '045'),
  airline('TP', 'TAP Air Cargo', '047'),
  airline('SV', 'Saudia Cargo', '065'),
  airline('ET', 'Ethiopian Cargo', '071'),
  airline('IB', 'Iberia Cargo', '075'),
  airline('MS', 'EgyptAir Cargo', '077'),
  airline('PR', 'Philippine Airlines Cargo', '079'),
  airline('LO', 'LOT Polish Airlines Cargo', '080'),
  airline('QF', 'Qantas Freight', '081'),
  airline('SN', 'Brussels Airlines Cargo', '082'),
  airline('NZ', 'Air New Zealand Cargo', '086'),
  airline('AI', 'Air India Cargo', '098'),
  airline('AY', 'Finnair Cargo', '105'),
  airline('CK', 'China Cargo Airlines', '112'),
  airline('LY', 'El Al Cargo', '114'),
  airline('SK', 'SAS Cargo', '117'),
  airline('GA', 'Garuda Indonesia Cargo', '126'),
  airline('JL', 'JAL Cargo', '131', ['Japan Airlines']),
  airline('AV', 'Avianca Cargo', '134'),
  airline('AM', 'Aeromexico Cargo', '139'),
  airline('HA', 'Hawaiian Air Cargo', '173'),
  airline('NH', 'ANA Cargo', '205', ['All Nippon Airways']),
  airline('TG', 'Thai Cargo', '217'),
  airline('CM', 'Copa Cargo', '230'),
  airline('MH', 'MASkargo', '232', ['Malaysia Airlines']),
  airline('OS', 'Austrian Airlines Cargo', '257'),
  airline('5Y', 'Atlas Air', '369'),
  airline('PO', 'Polar Air Cargo', '403'),
  airline('5X', 'UPS Airlines', '406'),
  airline('RJ', 'Royal Jordanian Cargo', '512'),
  airline('WN', 'Southwest Airlines Cargo', '526'),
  airline('EY', 'Etihad Cargo', '607'),
  airline('BR', 'EVA Air Cargo', '695'),
  airline('KQ', 'Kenya Airways Cargo', '706'),
  airline('LX', 'Swiss WorldCargo', '724'),
  airline('VN', 'Vietnam Airlines Cargo', '738'),
  airline('MU', 'China Eastern Airlines', '781'),
  airline('CZ', 'China Southern Cargo', '784'),
  airline('VS', 'Virgin Atlantic Cargo', '932'),
  airline('KZ', 'Nippon Cargo Airlines', '933'),
  airline('CA', 'Air China Cargo', '999'),

  parcelCarrier('ups', 'UPS', { connector: 'ups' }),
  parcelCarrier('fedex', 'FedEx', { connector: 'fedex' }),
  parcelCarrier('dhl', 'DHL', { connector: 'dhl', aliases: ['DHL Express', 'Deutsche Post'], postOf: ['DE'] }),
  parcelCarrier('usps', 'USPS', { connector: 'usps', aliases: ['United States Postal Service'], postOf: ['US'] }),
  parcelCarrier('dhl-ecommerce', 'DHL eCommerce', { connector: 'dhl' }),
  parcelCarrier('tnt', 'TNT'),
  parcelCarrier('dpd', 'DPD'),
  parcelCarrier('gls', 'GLS', { connector: 'gls', aliases: ['General Logistics Systems'] }),
  parcelCarrier('evri', 'Evri', { aliases: ['Hermes UK'] }),
  parcelCarrier('inpost', 'InPost'),
  parcelCarrier('amazon', 'Amazon Shipping'),
  parcelCarrier('ontrac', 'OnTrac', { aliases: ['LaserShip'] }),
  parcelCarrier('purolator', 'Purolator'),
  parcelCarrier('aramex', 'Aramex'),
  parcelCarrier('sf-express', 'SF Express'),
  parcelCarrier('yunexpress', 'YunExpress'),
  parcelCarrier('chronopost', 'Chronopost'),
  parcelCarrier('royal-mail', 'Royal Mail', { postOf: ['GB'] }),
  parcelCarrier('la-poste', 'La Poste', { aliases: ['Colissimo'], postOf: ['FR'] }),
  parcelCarrier('postnl', 'PostNL', { postOf: ['NL'] }),
  parcelCarrier('bpost', 'bpost', { postOf: ['BE'] }),
  parcelCarrier('correos', 'Correos', { postOf: ['ES'] }),
  parcelCarrier('ctt', 'CTT', { postOf: ['PT'] }),
  parcelCarrier('poste-italiane', 'Poste Italiane', { postOf: ['IT'] }),
  parcelCarrier('swiss-post', 'Swiss Post', { postOf: ['CH'] }),
  parcelCarrier('austrian-post', 'Austrian Post', { postOf: ['AT'] }),
  parcelCarrier('postnord', 'PostNord', { postOf: ['SE', 'DK'] }),
  parcelCarrier('bring', 'Posten Bring', { postOf: ['NO'] }),
  parcelCarrier('posti', 'Posti', { postOf: ['FI'] }),
  parcelCarrier('an-post', 'An Post', { postOf: ['IE'] }),
  parcelCarrier('poczta-polska', 'Poczta Polska', { postOf: ['PL'] }),
  parcelCarrier('canada-post', 'Canada Post', { postOf: ['CA'] }),
  parcelCarrier('australia-post', 'Australia Post', { postOf: ['AU'] }),
  parcelCarrier('nz-post', 'NZ Post', { postOf: ['NZ'] }),
  parcelCarrier('japan-post', 'Japan Post', { postOf: ['JP'] }),
  parcelCarrier('korea-post', 'Korea Post', { postOf: ['KR'] }),
  parcelCarrier('china-post', 'China Post', { aliases: ['China EMS'], postOf: ['CN'] }),
  parcelCarrier('hongkong-post', 'Hongkong Post', { postOf: ['HK'] }),
  parcelCarrier('singapore-post', 'Singapore Post', { aliases: ['SingPost'], postOf: ['SG'] }),
  parcelCarrier('india-post', 'India Post', { postOf: ['IN'] }),
  parcelCarrier('correios', 'Correios do Brasil', { postOf: ['BR'] }),

  roadCarrier('EXLA', 'Estes', ['Estes Express', 'Estes Express Lines']),
  roadCarrier('CNWY', 'XPO', ['XPO Logistics', 'Con-way Freight']),
  roadCarrier('ODFL', 'Old Dominion', ['Old Dominion Freight Line']),
  roadCarrier('SAIA', 'Saia', ['Saia LTL Freight']),
  roadCarrier('FXFE', 'FedEx Freight', ['FXNL']),
  roadCarrier('ABFS', 'ABF Freight', ['ArcBest']),
  roadCarrier('RLCA', 'R+L Carriers', ['R&L Carriers']),
  roadCarrier('UPGF', 'TForce Freight', ['UPS Freight']),
  roadCarrier('AACT', 'AAA Cooper'),
  roadCarrier('SEFL', 'Southeastern Freight Lines'),
  roadCarrier('PITD', 'Pitt Ohio'),
  roadCarrier('DAFG', 'Dayton Freight'),
  roadCarrier('CTII', 'Central Transport'),
  roadCarrier('AVRT', 'Averitt Express'),
  roadCarrier('RDFS', 'Roadrunner Freight'),
  roadCarrier('HJBT', 'J.B. Hunt'),
  roadCarrier('SCNN', 'Schneider', ['Schneider National']),
  roadCarrier('SWFT', 'Swift Transportation'),
  roadCarrier('WENP', 'Werner Enterprises'),
  roadCarrier('RBTW', 'C.H. Robinson'),

  unfollowed('rail', 'BNSF', 'BNSF Railway', ['BNSF Rail']),
  unfollowed('rail', 'UP', 'Union Pacific', ['UPRR']),
  unfollowed('rail', 'CSXT', 'CSX', ['CSX Transportation']),
  unfollowed('rail', 'NS', 'Norfolk Southern'),
  unfollowed('rail', 'CN', 'Canadian National'),
  unfollowed('rail', 'CPKC', 'Canadian Pacific Kansas City', ['CPRS', 'KCSM']),
  unfollowed('rail', 'FEC', 'Florida East Coast Railway'),

  // The client's own vehicles: only the client knows their events.
  { ...unfollowed('road', 'OWN', 'Own fleet'), modes: ['road', 'rail'] },
];

function oceanLine(code: string, name: string, connector: ConnectorCode | null, details: Details = {}): Carrier {
  return { ...noDetails, code, name, connector, modes: ['ocean'], blPrefixes: [code], ...details };
}

function airline(code: string, name: string, awbPrefix: string, aliases: string[] = []): Carrier {
  // Lufthansa Cargo has an API of its own. The industry standard is ONE Record, which each airline opens to its
  // partners.
  const connector = code === 'LH' ? 'lufthansa-cargo' : 'one-record';
  return { ...noDetails, code, name, connector, modes: ['air'], awbPrefixes: [awbPrefix], aliases };
}

function parcelCarrier(code: string, name: string, details: Details & { connector?: ConnectorCode } = {}): Carrier {
  return { ...noDetails, code, name, connector: null, modes: ['parcel'], ...details };
}

/** No carrier of this list is known to serve the standard yet. A server that does is configured in its place. */
function roadCarrier(code: string, name: string, aliases: string[] = []): Carrier {
  return { ...noDetails, code, name, connector: 'nmfta-dsdc', modes: ['road'], aliases };
}

function unfollowed(mode: TransportMode, code: string, name: string, aliases: string[] = []): Carrier {
  return { ...noDetails, code, name, connector: null, modes: [mode], aliases };
}
