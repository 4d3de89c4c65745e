import type { IdentifierKey } from '#shared/domain/shipments/shipment.ts';

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
