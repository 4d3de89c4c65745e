import { nearestName } from './nearest.ts';
import type { TransportMode } from './transport-mode.ts';

/** Every connector there is, also the name of its queue. The worker's registry is closed over this list. */
export const connectorCodes = ['maersk', 'hapag-lloyd', 'dcsa'] as const;
export type ConnectorCode = (typeof connectorCodes)[number];

/**
 * One carrier. `code` is what records carry: SCAC (ocean, road, rail), IATA code (air) or slug (parcel).
 * `connector` null: the carrier is known but cannot be followed yet. `blPrefixes` are put before its own B/L and booking numbers.
 */
export type Carrier = {
  code: string;
  name: string;
  modes: readonly TransportMode[];
  connector: ConnectorCode | null;
  blPrefixes: readonly string[];
  aliases: readonly string[];
  smdg: string | null;
};

export const carriers: readonly Carrier[] = [
  oceanLine('MAEU', 'Maersk', 'maersk', { blPrefixes: ['MAEU', 'SUDU'], aliases: ['SUDU', 'Maersk Line', 'Hamburg Sud'], smdg: 'MSK' }),
  oceanLine('HLCU', 'Hapag-Lloyd', 'hapag-lloyd', { aliases: ['Hapag'], smdg: 'HLC' }),
  oceanLine('CMDU', 'CMA CGM', 'dcsa', { smdg: 'CMA' }),
  oceanLine('ANNU', 'ANL', 'dcsa', { blPrefixes: ['ANNU', 'ANLC'], aliases: ['ANLC'] }),
  oceanLine('APLU', 'APL', 'dcsa'),
  oceanLine('MSCU', 'MSC', 'dcsa', { blPrefixes: ['MEDU', 'MSCU'], aliases: ['MEDU', 'Mediterranean Shipping Company'], smdg: 'MSC' }),
  oceanLine('ONEY', 'Ocean Network Express', 'dcsa', { smdg: 'ONE' }),
  oceanLine('EGLV', 'Evergreen', 'dcsa', { blPrefixes: ['EGLV', 'EISU'], aliases: ['EISU', 'Evergreen Line'], smdg: 'EMC' }),
  oceanLine('YMLU', 'Yang Ming', 'dcsa', { blPrefixes: ['YMLU', 'YMJA'], aliases: ['YMJA'], smdg: 'YML' }),
  oceanLine('ZIMU', 'ZIM', 'dcsa', { smdg: 'ZIM' }),
  oceanLine('HDMU', 'HMM', 'dcsa', { aliases: ['Hyundai Merchant Marine'], smdg: 'HMM' }),
  oceanLine('COSU', 'COSCO', null, { aliases: ['COSCO Shipping'], smdg: 'COS' }),
  oceanLine('OOLU', 'OOCL', null),
  oceanLine('PCIU', 'Pacific International Lines', null, { blPrefixes: ['PCIU', 'PABV'], aliases: ['PABV', 'PIL'] }),
  oceanLine('WHLC', 'Wan Hai', null),
  oceanLine('MATS', 'Matson', null),

  unfollowed('air', 'LH', 'Lufthansa Cargo', ['020']),
  unfollowed('air', 'AF', 'Air France Cargo', ['057']),
  unfollowed('air', 'KL', 'KLM Cargo', ['074']),
  unfollowed('air', 'BA', 'British Airways World Cargo', ['125', 'IAG Cargo']),
  unfollowed('air', 'QR', 'Qatar Airways Cargo', ['157']),
  unfollowed('air', 'CX', 'Cathay Cargo', ['160']),
  unfollowed('air', 'CV', 'Cargolux', ['172']),
  unfollowed('air', 'EK', 'Emirates SkyCargo', ['176']),
  unfollowed('air', 'KE', 'Korean Air Cargo', ['180']),
  unfollowed('air', 'TK', 'Turkish Cargo', ['235']),
  unfollowed('air', 'CI', 'China Airlines Cargo', ['297']),
  unfollowed('air', 'SQ', 'Singapore Airlines Cargo', ['618']),
  unfollowed('air', 'OZ', 'Asiana Cargo', ['988']),

  unfollowed('parcel', 'ups', 'UPS'),
  unfollowed('parcel', 'fedex', 'FedEx'),
  unfollowed('parcel', 'dhl', 'DHL'),
  unfollowed('parcel', 'usps', 'USPS'),

  unfollowed('road', 'EXLA', 'Estes', ['Estes Express']),
  unfollowed('road', 'CNWY', 'XPO'),
  unfollowed('road', 'ODFL', 'Old Dominion'),
  unfollowed('road', 'SAIA', 'Saia'),

  unfollowed('rail', 'BNSF', 'BNSF Railway', ['BNSF Rail']),
  unfollowed('rail', 'UP', 'Union Pacific', ['UPRR']),
  unfollowed('rail', 'CSXT', 'CSX', ['CSX Transportation']),
  unfollowed('rail', 'NS', 'Norfolk Southern'),
  unfollowed('rail', 'CN', 'Canadian National'),
  unfollowed('rail', 'CPKC', 'Canadian Pacific Kansas City'),
];

const carrierByName = new Map(carriers.flatMap((carrier) => carrierNames(carrier).map((name) => [lookupName(name), carrier] as const)));

/** The carrier with this code, alias, SMDG code or name; case, spaces and hyphens do not matter. */
export function findCarrier(code: string): Carrier | null {
  return carrierByName.get(lookupName(code)) ?? null;
}

/** The carrier that a misspelt code or name most likely means, or null when none is near. */
export function nearestCarrier(sent: string): Carrier | null {
  const name = nearestName(sent, carriers.flatMap(carrierNames));
  return name === null ? null : findCarrier(name);
}

/** The connector that follows this carrier in this mode, or null when none does. */
export function connectorFor(carrierCode: string, transportMode: TransportMode): ConnectorCode | null {
  const carrier = findCarrier(carrierCode);
  return carrier?.modes.includes(transportMode) ? carrier.connector : null;
}

function carrierNames(carrier: Carrier): string[] {
  return [carrier.code, carrier.name, ...carrier.aliases, ...(carrier.smdg === null ? [] : [carrier.smdg])];
}

function lookupName(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}

type LineDetails = { blPrefixes?: string[]; aliases?: string[]; smdg?: string };

function oceanLine(code: string, name: string, connector: ConnectorCode | null, details: LineDetails = {}): Carrier {
  return {
    code,
    name,
    connector,
    modes: ['ocean'],
    blPrefixes: details.blPrefixes ?? [code],
    aliases: details.aliases ?? [],
    smdg: details.smdg ?? null,
  };
}

function unfollowed(mode: TransportMode, code: string, name: string, aliases: string[] = []): Carrier {
  return { code, name, modes: [mode], connector: null, blPrefixes: [], aliases, smdg: null };
}
