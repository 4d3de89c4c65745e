const leading = [
  'mbl',
  'awb',
  'tracking_number',
  'pro',
  'waybill',
  'booking',
  'container',
  'bol',
  'railcar',
  'equipment',
  'hbl',
  'hawb',
];

/** The number a shipment goes by: the first that it has, in the order in which people name them. */
export function leadingIdentifier(
  identifiers: Readonly<Record<string, string | null>>,
): { kind: string; value: string } | null {
  for (const kind of [...leading, ...Object.keys(identifiers)]) {
    const value = identifiers[kind];
    if (typeof value === 'string' && value !== '') return { kind, value };
  }
  return null;
}
