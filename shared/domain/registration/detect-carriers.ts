import { type Carrier, carriers, findCarrier } from '../carriers/carrier-catalogue.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import type { IdentifierKey } from '../record/shipment.ts';
import {
  awbCheckDigit,
  dhlExpressCheckDigit,
  fedexCheckDigit,
  iso6346CheckDigit,
  s10CheckDigit,
  upsCheckDigit,
  uspsCheckDigit,
  weightedMod10,
} from './check-digits.ts';
import { matchValue } from './identifiers.ts';

export const confidences = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof confidences)[number];

/** Possible kind of a number. `carrier` null: the kind is known but the carrier isn't. */
export type CarrierCandidate = {
  carrier: string | null;
  carrierName: string | null;
  transportMode: TransportMode;
  identifier: IdentifierKey;
  confidence: Confidence;
  reason: string;
  checkDigit: 'valid' | 'invalid' | 'none';
};

/** Longer than any number. Nothing is detected in a longer text. */
const maxNumberLength = 120;

/**
 * The carriers that a number may belong to, likeliest first; `mode` null: any. Reads only the number's shape, prefixes
 * and check digits, so a number that doesn't identify its carrier gives none. Never throws.
 */
export function detectCarriers(sent: string, mode: TransportMode | null): CarrierCandidate[] {
  if (sent.length > maxNumberLength) return [];
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
    ...readLength(number),
    ...readRailcar(number),
  ];
  return found
    .filter((candidate) => mode === null || candidate.transportMode === mode)
    .sort((left, right) => confidences.indexOf(left.confidence) - confidences.indexOf(right.confidence));
}

type Finding = Pick<CarrierCandidate, 'transportMode' | 'identifier' | 'confidence' | 'reason'> & {
  carrier: Carrier | null;
  /** The check digit of the number and the expected one. Absent: it has none. */
  check?: { present: string | undefined; expected: string | null };
};

function candidate({ carrier, check, ...finding }: Finding): CarrierCandidate {
  return {
    carrier: carrier?.code ?? null,
    carrierName: carrier?.name ?? null,
    ...finding,
    checkDigit:
      check === undefined || check.expected === null ? 'none' : check.present === check.expected ? 'valid' : 'invalid',
  };
}

function readBillOfLading(number: string): CarrierCandidate[] {
  const prefix = number.slice(0, 4);
  const rest = number.slice(4);
  if (!/^[A-Z0-9/]{6,31}$/.test(rest) || !/\d/.test(rest)) return [];
  const carrier = carriers.find((line) => line.blPrefixes.includes(prefix));
  if (carrier === undefined) return [];
  const reason = `${prefix} is the prefix of bills of lading and bookings of ${carrier.name}`;
  // Four letters and seven digits are also the shape of a container number.
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
    const reason = `${prefix} is a container owner code of ${owner.name}; another carrier may be carrying it`;
    return [
      candidate({ ...common, carrier: owner, transportMode: 'ocean', confidence: isValid ? 'medium' : 'low', reason }),
    ];
  }
  if (!isValid && !/^[A-Z]{3}[UJZ]$/.test(prefix)) return [];
  const reason = 'a container number whose owner is not in the catalogue';
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
      ? `11 digits, like an air waybill; no airline in the catalogue has the prefix ${prefix}`
      : `${prefix} is the air waybill prefix of ${carrier.name}`;
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
      reason: '1Z and 16 characters, like UPS tracking numbers',
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
  const reason = `a postal item (UPU S10) posted in ${country}; the postal service of the destination delivers it`;
  return [candidate({ ...parcel, carrier, confidence, reason, check })];
}

function readUsps(number: string): CarrierCandidate[] {
  const expected = uspsCheckDigit(number);
  if (expected === null) return [];
  const check = { present: number.at(-1), expected };
  const isValid = check.present === expected;
  const reason = 'a USPS package barcode: 22 digits that start with 91 to 95';
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
      reason: 'FedEx hands over such parcels to USPS',
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
        reason: `${number.length} digits that start with 96, like FedEx Ground labels`,
      }),
    ];
  }
  const expected = fedexCheckDigit(number);
  if (expected === null) return [];
  const check = { present: number.at(-1), expected };
  const confidence = check.present === expected ? 'medium' : 'low';
  return [
    candidate({
      ...parcel,
      carrier,
      confidence,
      reason: `${number.length} digits, like FedEx tracking numbers`,
      check,
    }),
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
        reason: '10 digits, like DHL Express waybills',
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
        reason: 'a DHL piece number (JD, JJD, JVGL)',
      }),
    ];
  }
  if (!/^GM(?=.*\d)[0-9A-Z]{14,20}$/.test(number)) return [];
  return [
    candidate({
      ...parcel,
      carrier: findCarrier('dhl-ecommerce'),
      confidence: 'medium',
      reason: 'GM and 14 to 20 letters and digits, like DHL eCommerce',
    }),
  ];
}

/** Numbers that have no other mark than their length or first letter. `isChecked`: the last digit is GS1's. */
const lengths = [
  { shape: /^K\d{10}$/, carrier: 'ups', isChecked: false, reason: 'K and 10 digits, like freight of UPS' },
  { shape: /^\d{18}$|^\d{26}$/, carrier: 'ups', isChecked: false, reason: 'like UPS Mail Innovations' },
  { shape: /^\d{20}$/, carrier: 'dhl', isChecked: true, reason: 'like DHL Paket' },
  { shape: /^\d{14}$/, carrier: 'dhl-ecommerce', isChecked: false, reason: 'like DHL eCommerce' },
  { shape: /^\d{16}$/, carrier: 'canada-post', isChecked: true, reason: 'like Canada Post' },
];

function readLength(number: string): CarrierCandidate[] {
  return lengths
    .filter(({ shape }) => shape.test(number))
    .map(({ carrier, isChecked, reason }) => {
      const check = { present: number.at(-1), expected: isChecked ? weightedMod10(number.slice(0, -1)) : null };
      return candidate({
        ...parcel,
        carrier: findCarrier(carrier),
        confidence: check.present === check.expected ? 'medium' : 'low',
        reason: /^\d/.test(number) ? `${number.length} digits, ${reason}` : reason,
        check,
      });
    });
}

function readRailcar(number: string): CarrierCandidate[] {
  const mark = /^([A-Z]{2,4})\d{1,6}$/.exec(number)?.[1];
  const carrier =
    mark === undefined ? undefined : carriers.find((line) => line.modes.includes('rail') && line.code === mark);
  if (carrier === undefined) return [];
  const reason = `${mark} is the reporting mark of ${carrier.name}; another railroad may be moving the car`;
  return [candidate({ carrier, transportMode: 'rail', identifier: 'railcar', confidence: 'medium', reason })];
}
