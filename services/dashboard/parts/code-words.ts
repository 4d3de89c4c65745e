import type { IdentifierKey, Status } from '#shared/domain/shipments/shipment.ts';
import type { TransportMode } from '#shared/domain/shipments/transport-mode.ts';

/** The word of each status, as people read it. */
export const statusWords: Record<Status, string> = {
  pending: 'Pending',
  booked: 'Booked',
  in_transit: 'In transit',
  arrived: 'Arrived',
  available_for_pickup: 'Available',
  out_for_delivery: 'Out for delivery',
  delivered: 'Delivered',
  returned: 'Returned',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** The word of whatever the API says, also of what it learns to say later: `some_code` reads `Some code`. */
export function wordOf(code: string): string {
  const known = (statusWords as Record<string, string>)[code];
  if (known !== undefined) return known;
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** How goods travel, as people say it. */
export const modeWords: Record<TransportMode, string> = {
  ocean: 'Ocean',
  air: 'Air',
  road: 'Road',
  rail: 'Rail',
  parcel: 'Parcel',
};

/** The kinds of number, as people call them. */
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
