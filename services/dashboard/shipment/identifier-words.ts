/** What the numbers of a shipment are called. */
export const identifierWords: Record<string, string> = {
  mbl: 'Master bill',
  hbl: 'House bill',
  booking: 'Booking',
  container: 'Container',
  awb: 'Air waybill',
  hawb: 'House waybill',
  tracking_number: 'Tracking number',
  pro: 'PRO number',
  bol: 'Bill of lading',
  equipment: 'Equipment',
  pickup_number: 'Pickup number',
  po: 'Purchase order',
  waybill: 'Waybill',
  railcar: 'Railcar',
};

const leading = ['mbl', 'awb', 'tracking_number', 'pro', 'waybill', 'booking', 'container', 'bol', 'railcar', 'equipment', 'hbl', 'hawb'];

/** The number a shipment goes by: the first that it has, in the order in which people name them. */
export function leadingIdentifier(identifiers: Record<string, string | null>): { kind: string; value: string } | null {
  for (const kind of [...leading, ...Object.keys(identifiers)]) {
    const value = identifiers[kind];
    if (typeof value === 'string' && value !== '') return { kind, value };
  }
  return null;
}
