import type { TransportMode } from '../events/transport-mode.ts';
import type { IdentifierKey } from '../record/shipment.ts';

/**
 * The rule for one identifier in one mode. `compare` prepares the trimmed input for `shape`; `display` is what the
 * record keeps. Not `trackable`: stored and searchable, but carriers can't be queried with it.
 */
export type IdentifierRule = {
  trackable: boolean;
  shape: RegExp;
  shapeText: string;
  compare: (shown: string) => string;
  display: (shown: string) => string;
};

type ModeRules = Readonly<Partial<Record<IdentifierKey, IdentifierRule>>>;

const documentNumber = rule(/^(?=.*[A-Z0-9])[A-Z0-9/-]{4,35}$/, '4 to 35 letters, digits, hyphens or slashes');
const containerNumber = { ...rule(/^[A-Z]{4}\d{7}$/, '4 letters and 7 digits'), compare: withoutSeparators };
const airWaybill: IdentifierRule = {
  ...rule(/^\d{11}$/, '3 and 8 digits, as in 020-12345675'),
  compare: withoutSeparators,
  display: (shown) => withoutSeparators(shown).replace(/^(\d{3})/, '$1-'),
};
const trackingNumber = rule(
  /^(?=.*[A-Z0-9])[A-Z0-9._/-]{4,100}$/,
  '4 to 100 letters, digits, dots, underscores, slashes or hyphens',
);
const freeNumber = rule(/^(?=.*[\p{L}\p{N}])(?:[^\p{C}]|[\u200c\u200d]){1,50}$/u, '1 to 50 characters');
const railcar = { ...rule(/^[A-Z]{2,4}\d{1,6}$/, '2 to 4 letters and 1 to 6 digits'), compare: withoutSeparators };

/** Identifiers that each mode accepts, and their shapes. */
export const identifierRules: Readonly<Record<TransportMode, ModeRules>> = {
  ocean: { mbl: documentNumber, booking: documentNumber, container: containerNumber, hbl: forReference(freeNumber) },
  air: { awb: airWaybill, hawb: forReference(freeNumber) },
  parcel: { tracking_number: trackingNumber },
  road: {
    pro: freeNumber,
    bol: freeNumber,
    equipment: freeNumber,
    pickup_number: forReference(freeNumber),
    po: forReference(freeNumber),
  },
  rail: {
    container: containerNumber,
    waybill: freeNumber,
    railcar,
    bol: forReference(freeNumber),
    mbl: forReference(documentNumber),
  },
};

const aliases: Readonly<Partial<Record<IdentifierKey, readonly string[]>>> = {
  mbl: ['mbl_number', 'mbl_no', 'mbol', 'bl', 'bl_number', 'master_bill', 'master_bill_of_lading'],
  booking: ['booking_number', 'booking_no', 'booking_reference'],
  container: ['container_number', 'container_no'],
  hbl: ['hbl_number', 'hbl_no', 'house_bill', 'house_bill_of_lading'],
  awb: [
    'mawb',
    'awb_number',
    'awb_no',
    'mawb_number',
    'mawb_no',
    'air_waybill',
    'air_waybill_number',
    'master_air_waybill',
  ],
  hawb: ['hawb_number', 'hawb_no', 'house_air_waybill'],
  tracking_number: ['tracking', 'tracking_no'],
  pro: ['pro_number', 'pro_no'],
  bol: ['bol_number', 'bol_no', 'bill_of_lading', 'bill_of_lading_number'],
  equipment: ['equipment_number', 'trailer', 'trailer_number'],
  pickup_number: ['pickup', 'pickup_no'],
  po: ['po_number', 'po_no', 'purchase_order', 'purchase_order_number'],
  waybill: ['waybill_number', 'waybill_no'],
  railcar: ['railcar_number', 'railcar_no', 'car_number'],
};

const keyByAlias = new Map(
  Object.entries(aliases).flatMap(([key, names]) => names.map((name) => [name, key as IdentifierKey] as const)),
);

/** True for a client's own text, which is kept as sent. Numbers of carriers have a plain form. */
export function isFreeText({ shape, trackable }: IdentifierRule): boolean {
  return !trackable && shape === freeNumber.shape;
}

/** The short name that this input name stands for in this mode. Null: the mode has no such identifier. */
export function keyOfAlias(mode: TransportMode, name: string): IdentifierKey | null {
  const key = keyByAlias.get(name) ?? (name as IdentifierKey);
  return Object.hasOwn(identifierRules[mode], key) ? key : null;
}

/** Every input name for an identifier of this mode: the short names, then their aliases. */
export function inputNamesOf(mode: TransportMode): string[] {
  const keys = Object.keys(identifierRules[mode]);
  return [...keys, ...keys.flatMap((key) => aliases[key as IdentifierKey] ?? [])];
}

function rule(shape: RegExp, shapeText: string): IdentifierRule {
  return {
    trackable: true,
    shape,
    shapeText,
    compare: (shown) => withoutSpaces(shown).toUpperCase(),
    display: (shown) => shown,
  };
}

function forReference(trackableRule: IdentifierRule): IdentifierRule {
  return { ...trackableRule, trackable: false };
}

function withoutSpaces(shown: string): string {
  return shown.replace(/\s/g, '');
}

function withoutSeparators(shown: string): string {
  return shown.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
}
