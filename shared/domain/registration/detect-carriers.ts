import { type Carrier, carriers, connectorFor, findCarrier } from '../carriers/carrier-catalogue.ts';
import type { IdentifierKey } from '../shipments/shipment.ts';
import type { TransportMode } from '../shipments/transport-mode.ts';
import {
  awbCheckDigit,
  dhlExpressCheckDigit,
  fedexCheckDigit,
  iso6346CheckDigit,
  s10CheckDigit,
  upsCheckDigit,
  uspsCheckDigit,
} from './check-digits.ts';
import { matchValue } from './identifiers.ts';

export const confidences = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof confidences)[number];

/** What a number may be. `carrier` null: its kind is known, its carrier is not; name the carrier yourself. */
export type CarrierCandidate = {
  carrier: string | null;
  carrierName: string | null;
  transportMode: TransportMode;
  identifier: IdentifierKey;
  confidence: Confidence;
  reason: string;
  checkDigit: 'valid' | 'invalid' | 'none';
  /** Whether a connector follows this carrier in this mode. */
  supported: boolean;
};

/** Longer than any number: the rest of a longer text is not looked at, and nothing is found in it. */
const longestNumber = 120;

/**
 * The carriers that a number may belong to, the likeliest first; `mode` null: any. It reads the number's shape, prefixes and check digits
 * only: nobody is asked, and a number that does not tell its carrier gives none. Never throws.
 */
export function detectCarriers(sent: string, mode: TransportMode | null): CarrierCandidate[] {
  if (sent.length > longestNumber) return [];
  const number = matchValue(sent);
  const found = [
    ...readBillOfLading(number),
    ...readContainer(number),
    ...readAirWaybill(number),
    ...readUps(number),
    ...readPostalItem(number),
    ...readUsps(number),
    ...readFedex(number),
    ...readDhl(number),
    ...readRailcar(number),
  ];
  return found
    .filter((candidate) => mode === null || candidate.transportMode === mode)
    .sort((left, right) => confidences.indexOf(left.confidence) - confidences.indexOf(right.confidence));
}

type Finding = Pick<CarrierCandidate, 'transportMode' | 'identifier' | 'confidence' | 'reason'> & {
  carrier: Carrier | null;
  /** The check digit that the number has and the one that it should have; absent: it has none. */
  check?: { present: string | undefined; expected: string | null };
};

function candidate({ carrier, check, ...finding }: Finding): CarrierCandidate {
  return {
    carrier: carrier?.code ?? null,
    carrierName: carrier?.name ?? null,
    ...finding,
    checkDigit:
      check === undefined || check.expected === null ? 'none' : check.present === check.expected ? 'valid' : 'invalid',
    supported: carrier !== null && connectorFor(carrier.code, finding.transportMode) !== null,
  };
}

function readBillOfLading(number: string): CarrierCandidate[] {
  const prefix = number.slice(0, 4);
  const rest = number.slice(4);
  if (!/^[A-Z0-9/]{6,31}$/.test(rest) || !/\d/.test(rest)) return [];
  const carrier = carriers.find((line) => line.blPrefixes.includes(prefix));
  if (carrier === undefined) return [];
  const reason = `${prefix} begins the bills of lading and bookings of ${carrier.name}`;
  // Four letters and seven digits are a container's shape as well.
  const isContainer = /^[A-Z]{4}\d{7}$/.test(number) && number.at(-1) === iso6346CheckDigit(number);
  const common = { carrier, transportMode: 'ocean', reason } as const;
  return [
    candidate({ ...common, identifier: 'mbl', confidence: isContainer ? 'low' : 'high' }),
    candidate({ ...common, identifier: 'booking', confidence: isContainer ? 'low' : 'medium' }),
  ];
}

function readContainer(number: string): CarrierCandidate[] {
  if (!/^[A-Z]{4}\d{7}$/.test(number)) return [];
  const prefix = number.slice(0, 4);
  const owner = carriers.find((line) => line.containerPrefixes.includes(prefix)) ?? null;
  const check = { present: number.at(-1), expected: iso6346CheckDigit(number) };
  const isValid = check.present === check.expected;
  const common = { identifier: 'container', check } as const;
  if (owner !== null) {
    const reason = `${prefix} is the owner code of containers of ${owner.name}; another line may carry them`;
    return [
      candidate({ ...common, carrier: owner, transportMode: 'ocean', confidence: isValid ? 'medium' : 'low', reason }),
    ];
  }
  if (!isValid && !/^[A-Z]{3}[UJZ]$/.test(prefix)) return [];
  const reason = 'a container number; its owner is no line of the catalogue, so it does not tell who carries it';
  return (['ocean', 'rail'] as const).map((transportMode) =>
    candidate({ ...common, carrier: null, transportMode, confidence: 'low', reason }),
  );
}

function readAirWaybill(number: string): CarrierCandidate[] {
  if (!/^\d{11}$/.test(number)) return [];
  const prefix = number.slice(0, 3);
  const carrier = carriers.find((airline) => airline.awbPrefixes.includes(prefix)) ?? null;
  const check = { present: number.at(-1), expected: awbCheckDigit(number) };
  const isValid = check.present === check.expected;
  if (carrier === null && !isValid) return [];
  const confidence = carrier === null ? 'low' : isValid ? 'high' : 'low';
  const reason =
    carrier === null
      ? `11 digits as of an air waybill; ${prefix} is no airline of the catalogue`
      : `${prefix} begins the air waybills of ${carrier.name}`;
  return [candidate({ carrier, transportMode: 'air', identifier: 'awb', confidence, reason, check })];
}

const parcel = { transportMode: 'parcel', identifier: 'tracking_number' } as const;

function readUps(number: string): CarrierCandidate[] {
  if (!/^1Z[A-Z0-9]{15}\d$/.test(number)) return [];
  const check = { present: number.at(-1), expected: upsCheckDigit(number) };
  const confidence = check.present === check.expected ? 'high' : 'medium';
  return [
    candidate({
      ...parcel,
      carrier: findCarrier('ups'),
      confidence,
      reason: '1Z and 16 characters, as UPS numbers parcels',
      check,
    }),
  ];
}

function readPostalItem(number: string): CarrierCandidate[] {
  if (!/^[A-Z]{2}\d{9}[A-Z]{2}$/.test(number)) return [];
  const country = number.slice(-2);
  const carrier = carriers.find((post) => post.postOf.includes(country)) ?? null;
  const check = { present: number.at(10), expected: s10CheckDigit(number) };
  const isValid = check.present === check.expected;
  const confidence = carrier === null || !isValid ? 'low' : 'high';
  const reason = `a postal item (UPU S10) that was handed in in ${country}; the post of the destination delivers it`;
  return [candidate({ ...parcel, carrier, confidence, reason, check })];
}

function readUsps(number: string): CarrierCandidate[] {
  const expected = uspsCheckDigit(number);
  if (expected === null) return [];
  const check = { present: number.at(-1), expected };
  const isValid = check.present === expected;
  const reason = 'a USPS package barcode: 22 digits that begin with 91 to 95';
  const found = [
    candidate({ ...parcel, carrier: findCarrier('usps'), confidence: isValid ? 'high' : 'medium', reason, check }),
  ];
  if (!/^92\d{20}$/.test(number)) return found;
  return [
    ...found,
    candidate({
      ...parcel,
      carrier: findCarrier('fedex'),
      confidence: 'low',
      reason: 'FedEx hands such parcels to USPS',
      check,
    }),
  ];
}

function readFedex(number: string): CarrierCandidate[] {
  const carrier = findCarrier('fedex');
  if (/^96\d{20}$|^96\d{32}$/.test(number)) {
    return [
      candidate({
        ...parcel,
        carrier,
        confidence: 'medium',
        reason: `96 and ${number.length} digits, as FedEx Ground labels`,
      }),
    ];
  }
  const expected = fedexCheckDigit(number);
  if (expected === null) return [];
  const check = { present: number.at(-1), expected };
  const confidence = check.present === expected ? 'medium' : 'low';
  return [
    candidate({ ...parcel, carrier, confidence, reason: `${number.length} digits, as FedEx numbers parcels`, check }),
  ];
}

function readDhl(number: string): CarrierCandidate[] {
  const expected = dhlExpressCheckDigit(number);
  if (expected !== null) {
    const check = { present: number.at(-1), expected };
    const confidence = check.present === expected ? 'medium' : 'low';
    return [
      candidate({
        ...parcel,
        carrier: findCarrier('dhl'),
        confidence,
        reason: '10 digits, as DHL Express numbers waybills',
        check,
      }),
    ];
  }
  if (/^J[A-Z]{2,3}\d{9,18}$/.test(number)) {
    return [
      candidate({
        ...parcel,
        carrier: findCarrier('dhl'),
        confidence: 'medium',
        reason: 'a piece number of DHL (JD, JJD, JVGL)',
      }),
    ];
  }
  if (!/^GM\d{16,18}$/.test(number)) return [];
  return [
    candidate({
      ...parcel,
      carrier: findCarrier('dhl-ecommerce'),
      confidence: 'medium',
      reason: 'GM and 16 to 18 digits',
    }),
  ];
}

function readRailcar(number: string): CarrierCandidate[] {
  const mark = /^([A-Z]{2,4})\d{1,6}$/.exec(number)?.[1];
  const carrier =
    mark === undefined ? undefined : carriers.find((line) => line.modes.includes('rail') && line.code === mark);
  if (carrier === undefined) return [];
  const reason = `${mark} is the reporting mark of ${carrier.name}; another railway may move its cars`;
  return [candidate({ carrier, transportMode: 'rail', identifier: 'railcar', confidence: 'medium', reason })];
}
