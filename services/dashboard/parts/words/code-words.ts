import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import { statusWords } from '#shared/domain/words/status-words.ts';

export const modeWords: Record<TransportMode, string> = {
  ocean: 'Ocean',
  air: 'Air',
  road: 'Road',
  rail: 'Rail',
  parcel: 'Parcel',
};

export const identifierWords: Record<IdentifierKey, string> = {
  mbl: 'Bill of lading',
  booking: 'Booking',
  container: 'Container',
  hbl: 'House bill',
  awb: 'Air waybill',
  hawb: 'House air waybill',
  tracking_number: 'Tracking number',
  pro: 'PRO number',
  bol: 'Bill of lading',
  equipment: 'Equipment',
  pickup_number: 'Pickup number',
  po: 'Purchase order',
  waybill: 'Waybill',
  railcar: 'Railcar',
};

/** Any code of the API as words, also one that this release does not know: `some_code` reads `Some code`. */
export function wordOf(code: string): string {
  return (statusWords as Record<string, string>)[code] ?? capital(code.replaceAll('_', ' '));
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
