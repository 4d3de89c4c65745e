import type { EventCode } from '../events/event.ts';
import type { StatusDetail } from '../events/status-details.ts';

/**
 * The meaning of an air freight status code. `description` is set where the code is more specific than the event code.
 */
export type FsuMeaning = { code: EventCode; description: string | null };

/**
 * The status codes of air freight (Cargo-IMP FSU, as published in ONE Record's StatusCode list, 2026-07):
 * https://onerecord.iata.org/ns/code-lists/StatusCode. IATA publishes no mapping to events, so the mapping is ours.
 */
const meanings: Readonly<Record<string, EventCode>> = {
  BKD: 'booking_confirmed',
  DOC: 'document_issued',
  AWR: 'document_issued',
  DPU: 'picked_up',
  // On hand, not yet ready for carriage: the shipper has nevertheless handed it over.
  FOH: 'received_from_shipper',
  // Into the warehouse after arrival, out of it to the ramp before the flight: neither is a gate of the shipper.
  FIW: 'arrived_at_facility',
  RCS: 'received_from_shipper',
  PRE: 'manifested',
  MAN: 'manifested',
  DEP: 'departed',
  ARR: 'arrived',
  RCF: 'received_from_flight',
  RCT: 'in_transit',
  TFD: 'in_transit',
  TRM: 'in_transit',
  CRC: 'customs_inspection',
  TGC: 'customs_hold',
  CCD: 'customs_released',
  NFD: 'consignee_notified',
  AWD: 'documents_delivered',
  FOW: 'departed_facility',
  DLV: 'delivered',
  DDL: 'delivered',
  OCI: 'other',
  OSI: 'other',
};

/** Discrepancies. `other` is used where the discrepancy was resolved. */
const discrepancies: Readonly<Record<string, FsuMeaning>> = {
  OFLD: { code: 'exception', description: 'Offloaded: left behind for a later flight' },
  SSPD: { code: 'exception', description: 'Short-shipped: part of the cargo was left behind' },
  OVCD: { code: 'exception', description: 'Overcarried: misrouted past its destination' },
  MSCA: { code: 'exception', description: 'Cargo is missing' },
  MSMB: { code: 'exception', description: 'A mailbag is missing' },
  MSAW: { code: 'exception', description: 'The air waybill is missing' },
  MSAV: { code: 'exception', description: 'The mail document is missing' },
  FDCA: { code: 'other', description: 'Cargo was found' },
  FDMB: { code: 'other', description: 'A mailbag was found' },
  FDAW: { code: 'other', description: 'An air waybill was found' },
  FDAV: { code: 'other', description: 'A mail document was found' },
  DFLD: { code: 'other', description: 'Definitely loaded' },
};

/** Discrepancies that explain why cargo is where it is. A missing document is none of them. */
const statusDetails: Readonly<Record<string, StatusDetail>> = {
  DIS_OFLD: 'offloaded',
  DIS_SSPD: 'short_shipped',
  DIS_OVCD: 'overcarried',
  DIS_MSCA: 'missing_pieces',
  DIS_MSMB: 'missing_pieces',
};

/** Codes that refer to a single flight. Only these name it. */
const flightCodes = new Set(['BKD', 'PRE', 'MAN', 'DEP', 'ARR', 'RCF']);

/**
 * Normalizes a status code: `DEP`, `DIS_OFLD`. Carriers send it as the end of an IRI (`…#StatusCode_DEP`), with a
 * hyphen, or in lower case.
 */
export function fsuCode(written: string): string {
  const end = written.split(/[#/]/).at(-1) ?? '';
  return end
    .trim()
    .toUpperCase()
    .replace(/^STATUSCODE_/, '')
    .replace(/^DIS[\s_-]*(?=[A-Z])/, 'DIS_');
}

/** The meaning of a status code. Unknown codes are kept as information. */
export function fsuMeaning(code: string): FsuMeaning {
  if (code === 'DIS') return { code: 'exception', description: null };
  const discrepancy = code.startsWith('DIS_') ? code.slice(4) : null;
  if (discrepancy !== null) return discrepancies[discrepancy] ?? { code: 'exception', description: null };
  return { code: Object.hasOwn(meanings, code) ? (meanings[code] ?? 'other') : 'other', description: null };
}

/** True for a status code without the discrepancy: `DIS`. */
export function isFsuCode(code: string): boolean {
  return code === 'DIS' || Object.hasOwn(meanings, code);
}

/** Returns the reason for the status of the cargo, if the status code states one. */
export function fsuStatusDetail(code: string): StatusDetail | null {
  return Object.hasOwn(statusDetails, code) ? (statusDetails[code] ?? null) : null;
}

/** True when the code refers to a single flight. */
export function isAboutFlight(code: string): boolean {
  return flightCodes.has(code);
}

/**
 * Normalizes a flight number (`LH8160`, `5X76`): airline, number without leading zeros, suffix. Null when it is not a
 * flight number.
 */
export function flightNumber(written: string | null): string | null {
  const match = /^([A-Z][A-Z0-9]|\d[A-Z])[\s-]*0*(\d{1,4}[A-Z]?)$/.exec(written?.trim().toUpperCase() ?? '');
  return match ? `${match[1]}${match[2]}` : null;
}
