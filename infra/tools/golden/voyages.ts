import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';

/** A carrier of the simulator and how its numbers look. */
type Line = {
  connector: ConnectorCode;
  carrier: string;
  mode: 'ocean' | 'air' | 'road' | 'parcel';
  identifiers: (serial: number, digit: number) => Record<string, string>;
};

/** One shipment of the comparison. `number`: its place in the recording, from which everything about it follows. */
export type Voyage = Omit<Line, 'identifiers'> & {
  number: number;
  account: number;
  identifiers: Record<string, string>;
  /** The step at which it is registered. */
  fromStep: number;
};

export const accounts = 2;
const registrationSteps = 4;

const ocean = (connector: ConnectorCode, carrier: string, prefix = carrier): Line => ({
  connector,
  carrier,
  mode: 'ocean',
  identifiers: (serial, digit) => ({ mbl: `${prefix}${70_000_003 + serial}${digit}` }),
});
const air = (connector: ConnectorCode, carrier: string, prefix: string): Line => ({
  connector,
  carrier,
  mode: 'air',
  identifiers: (serial, digit) => ({ awb: `${prefix}${1_000_003 + serial}${digit}` }),
});
const parcel = (code: 'ups' | 'fedex' | 'dhl', numberOf: (serial: string) => string): Line => ({
  connector: code,
  carrier: code,
  mode: 'parcel',
  identifiers: (serial, digit) => ({ tracking_number: `${numberOf(String(7_000_003 + serial))}${digit}` }),
});

/** Every connector, in all modes. */
const lines: readonly Line[] = [
  ocean('maersk', 'MAEU'),
  air('one-record', 'QR', '157'),
  parcel('ups', (serial) => `1Z5R8939035${serial.slice(0, 6)}`),
  ocean('hapag-lloyd', 'HLCU'),
  {
    connector: 'nmfta-dsdc',
    carrier: 'ODFL',
    mode: 'road',
    identifiers: (serial, digit) => ({ pro: `${50_003 + serial}${digit}` }),
  },
  ocean('cma-cgm', 'CMDU'),
  parcel('fedex', (serial) => `7946${serial}`),
  ocean('msc', 'MSCU', 'MEDU'),
  air('lufthansa-cargo', 'LH', '020'),
  ocean('one', 'ONEY'),
  ocean('yang-ming', 'YMLU'),
  parcel('dhl', (serial) => `12${serial}`),
  ocean('zim', 'ZIMU'),
  ocean('evergreen', 'EGLV'),
  ocean('hmm', 'HDMU'),
  ocean('dcsa', 'PCIU'),
];

/** The first `count` voyages, by connector in turn. Numbers that contain `404` are unknown to the simulator. */
export function voyagesOf(count: number): Voyage[] {
  return Array.from({ length: count }, (_, number) => {
    const serial = Math.floor(number / lines.length);
    // The last digit decides whether a voyage plays in fast motion or in real time.
    return { ...voyageOf(lines, number, serial % 10), fromStep: Math.floor(serial / 3) % registrationSteps };
  });
}

/** `count` voyages of one mode, by connector in turn, all of which end. */
export function endingVoyages(mode: Voyage['mode'], count: number): Voyage[] {
  const ofMode = lines.filter((line) => line.mode === mode);
  return Array.from({ length: count }, (_, number) => voyageOf(ofMode, number, 2));
}

function voyageOf(among: readonly Line[], number: number, digit: number): Voyage {
  const { identifiers, ...line } = among[number % among.length] as Line;
  const serial = Math.floor(number / among.length);
  return {
    ...line,
    number,
    account: serial % accounts,
    identifiers: identifiers(serial * 7919, digit),
    fromStep: 0,
  };
}

/** The registration as a client sends it. Some have a reference, tags and metadata. */
export function registrationOf({ number, mode, carrier, identifiers }: Voyage): object {
  return {
    transport_mode: mode,
    carrier,
    identifiers,
    ...(number % 2 === 0 ? { reference: `PO-${number}` } : {}),
    ...(number % 3 === 0 ? { tags: ['spring', `team-${number % 5}`] } : {}),
    ...(number % 5 === 0 ? { metadata: { order: `order ${number}`, lane: 'Ω → ß' } } : {}),
  };
}
