import type { EventCode } from '#shared/domain/tracking/event.ts';

/** What a status code of air freight means here. `description` is set where the code says more than the event code. */
export type FsuMeaning = { code: EventCode; description: string | null };

/**
 * The status codes of air freight (Cargo-IMP FSU, as IATA publishes them in ONE Record's StatusCode list, 2026-07):
 * https://onerecord.iata.org/ns/code-lists/StatusCode. Which event code each one stands for is our own reading; nobody publishes a table.
 */
const meanings: Readonly<Record<string, EventCode>> = {
  BKD: 'booking_confirmed',
  DOC: 'document_issued',
  AWR: 'document_issued',
  DPU: 'picked_up',
  // On hand, not yet ready for carriage: the shipper has handed it over all the same.
  FOH: 'received_from_shipper',
  FIW: 'received_from_shipper',
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
  FOW: 'gate_out_full',
  DLV: 'delivered',
  DDL: 'delivered',
  OCI: 'other',
  OSI: 'other',
};

/** Discrepancies: what went wrong, and `other` where something was found again or was right after all. */
const discrepancies: Readonly<Record<string, FsuMeaning>> = {
  OFLD: { code: 'exception', description: 'Offloaded: left behind for a later flight' },
  SSPD: { code: 'exception', description: 'Short-shipped: part of it was left behind' },
  OVCD: { code: 'exception', description: 'Overcarried past its station: misrouted' },
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

/** Codes that are about one flight: only these name it. */
const flightCodes = new Set(['BKD', 'PRE', 'MAN', 'DEP', 'ARR', 'RCF']);

/** The status code in its plain form: `DEP`, `DIS_OFLD`. Carriers write the end of an IRI, a hyphen, small letters. */
export function fsuCode(written: string): string {
  const end = written.split(/[#/]/).at(-1) ?? '';
  return end
    .trim()
    .toUpperCase()
    .replace(/^DIS[\s_-]*(?=[A-Z])/, 'DIS_');
}

/** What a status code means; one that is not in the list is kept as information. */
export function fsuMeaning(code: string): FsuMeaning {
  if (code === 'DIS') return { code: 'exception', description: null };
  const discrepancy = code.startsWith('DIS_') ? code.slice(4) : null;
  if (discrepancy !== null) return discrepancies[discrepancy] ?? { code: 'exception', description: null };
  return { code: Object.hasOwn(meanings, code) ? (meanings[code] ?? 'other') : 'other', description: null };
}

/** Whether the code tells of one flight. */
export function isAboutFlight(code: string): boolean {
  return flightCodes.has(code);
}

/** A flight number as carriers and timetables write it (`LH8160`, `5X76`): airline, number without leading zeros, suffix; null when it is none. */
export function flightNumber(written: string | null): string | null {
  const match = /^([A-Z][A-Z0-9]|\d[A-Z])[\s-]*0*(\d{1,4}[A-Z]?)$/.exec(written?.trim().toUpperCase() ?? '');
  return match ? `${match[1]}${match[2]}` : null;
}
