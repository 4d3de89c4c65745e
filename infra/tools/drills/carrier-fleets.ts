import { connectors } from '#services/worker/carriers/registry.ts';
import { carrierCodes } from '#shared/config/carrier-variables.ts';
import { type ConnectorCode, connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { selfSignedCertificate } from '#test/support/api/self-signed-certificate.ts';
import { dcsaMeanings } from './checker/dcsa-meanings.ts';

/** Shipments of one connector for a drill. Carrier codes are read by their published meanings, not by the connector. */
export type CarrierFleet = {
  connector: ConnectorCode;
  mode: TransportMode;
  carrier: string;
  key: string;
  number: (index: number) => string;
  /** The number as it is sent to the carrier. */
  asked: (number: string) => string;
  meanings: Readonly<Record<string, string>>;
  /** Our codes that stand for exactly one carrier code. */
  codes: ReadonlySet<string>;
  hasPlaceCodes: boolean;
  /**
   * Some of the carrier's times lack their zone and are local times. Its documents have no place that shows the zone,
   * and the hour repeated at the end of summer time is ambiguous.
   */
  hidesZones: boolean;
};

/** The meaning of a carrier's code. Null: it is ambiguous. */
export function meaningOf(fleet: CarrierFleet, word: string): string | null {
  return fleet.meanings[word] ?? null;
}

const parcelMeanings = {
  pickup: 'picked_up',
  out_for_delivery: 'out_for_delivery',
  delivered: 'delivered',
  delivered_neighbour: 'delivered',
  left_at_door: 'delivered',
  collected: 'delivered',
};
/** Cargo-IMP status codes. RCS and FOH are both a receipt from the shipper. */
const airMeanings = {
  BKD: 'booking_confirmed',
  MAN: 'manifested',
  DEP: 'departed',
  ARR: 'arrived',
  RCF: 'received_from_flight',
  DLV: 'delivered',
};
const roadMeanings = {
  PICKED_UP: 'picked_up',
  OUT_FOR_DELIVERY: 'out_for_delivery',
  DELIVERED: 'delivered',
  DELIVERY_ATTEMPTED: 'delivery_attempted',
};

/** A number with this prefix. It ends in 0 to 4, which plays its journey in fast motion, and never contains 404. */
function fastNumber(first: number, index: number): string {
  const text = `${first + index * 7}${index % 5}`;
  return text.includes('404') ? fastNumber(first + 7_919, index) : text;
}

function fleet(
  connector: ConnectorCode,
  mode: TransportMode,
  carrier: string,
  details: Pick<CarrierFleet, 'key' | 'number' | 'meanings'> & Partial<CarrierFleet>,
): CarrierFleet {
  const codes = new Set(Object.values(details.meanings));
  return {
    connector,
    mode,
    carrier,
    asked: (number) => number,
    codes,
    hasPlaceCodes: mode === 'ocean',
    hidesZones: false,
    ...details,
  };
}

function ocean(
  connector: ConnectorCode,
  carrier: string,
  prefix: string,
  details: Partial<CarrierFleet> = {},
): CarrierFleet {
  // Numbers of its own: without a prefix, the standard endpoint could find another line's voyage.
  const first = 60_000_011 + connectorCodes.indexOf(connector) * 1_000_000;
  const number = (index: number): string => `${prefix}${fastNumber(first, index)}`;
  // The standard endpoint is called without the line's prefix.
  const asked = (mbl: string): string => mbl.slice(prefix.length);
  return fleet(connector, 'ocean', carrier, { key: 'mbl', number, asked, meanings: dcsaMeanings, ...details });
}

function air(connector: ConnectorCode, carrier: string, prefix: string): CarrierFleet {
  return fleet(connector, 'air', carrier, {
    key: 'awb',
    // The last digit is the serial number's check digit, modulo 7.
    number: (index) => {
      let serial = 1_000_000 + index * 11;
      while (serial % 7 > 4 || `${serial}${serial % 7}`.includes('404')) serial += 1;
      return `${prefix}-${serial}${serial % 7}`;
    },
    asked: (number) => number.replace('-', ''),
    meanings: airMeanings,
  });
}

function parcel(connector: ConnectorCode, number: (index: number) => string): CarrierFleet {
  return fleet(connector, 'parcel', connector, { key: 'tracking_number', number, meanings: parcelMeanings });
}

/** One fleet for each connector but COSCO's: its response for a B/L has only the last move of each container. */
export const fleets: readonly CarrierFleet[] = [
  ocean('maersk', 'MAEU', 'MAEU', { hidesZones: true }),
  ocean('hapag-lloyd', 'HLCU', 'HLCU'),
  ocean('cma-cgm', 'CMDU', 'CMDU'),
  ocean('msc', 'MSCU', 'MEDU', { hidesZones: true }),
  ocean('one', 'ONEY', 'ONEY'),
  ocean('yang-ming', 'YMLU', 'YMLU'),
  // A vessel event without a place cannot be assigned to the cargo.
  ocean('zim', 'ZIMU', 'ZIMU', {
    codes: new Set(Object.values(dcsaMeanings).filter((code) => code !== 'departed' && code !== 'arrived')),
  }),
  ocean('evergreen', 'EGLV', 'EGLV'),
  ocean('hmm', 'HDMU', 'HDMU'),
  ocean('dcsa', 'PCIU', 'PCIU'),
  air('lufthansa-cargo', 'LH', '020'),
  air('one-record', 'QR', '157'),
  fleet('nmfta-dsdc', 'road', 'EXLA', {
    key: 'pro',
    number: (index) => fastNumber(70_000_011, index),
    meanings: roadMeanings,
  }),
  { ...parcel('dhl', (index) => fastNumber(100_000_011, index)), hidesZones: true },
  parcel('fedex', (index) => fastNumber(10_000_000_011, index)),
  parcel('ups', (index) => `1Z999AA1${fastNumber(1_000_011, index)}`),
  parcel('usps', (index) => `94001118992235${fastNumber(1_000_011, index)}`),
  parcel('gls', (index) => fastNumber(100_000_011, index)),
];

/** Makes a worker take the simulator for the real carrier: its published budget applies and it needs credentials. */
export function configuredCarrier(
  connector: ConnectorCode,
  simulatorUrl: string,
  accountId: string,
): Record<string, string> {
  const { basePath, authPath } = connectors[connector].simulated;
  const settings = {
    BASE_URL: `${simulatorUrl}${basePath}`,
    ...(authPath === null ? {} : { AUTH_URL: `${simulatorUrl}${authPath}` }),
    CLIENT_ID: `drill-${connector}`,
    CLIENT_SECRET: 'drill-secret',
    API_KEY: `drill-${connector}`,
    ACCOUNTS: accountId,
    ...(connector === 'msc' ? signedIn() : {}),
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`CARRIER_${carrierCodes[connector]}_${name}`, value]),
  );
}

/** MSC requires an assertion signed with a certificate. */
function signedIn(): Record<string, string> {
  const { certificate, privateKey } = selfSignedCertificate();
  return { CERTIFICATE: certificate, PRIVATE_KEY: privateKey, SCOPE: 'api://drill/.default' };
}
