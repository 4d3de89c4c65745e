/**
 * An identifier in groups, as people read it: containers as `MSKU 123456 5` (ISO 6346: owner, serial, check digit), air waybills as
 * `020-0800 2050` (IATA: prefix, then four and four), anything else as its letters and then threes or fours. Only spaces are added.
 */
export function groupIdentifier(kind: string, value: string): string {
  const plain = value.replaceAll(' ', '');
  const container = /^([A-Z]{4})(\d{6})(\d)$/.exec(plain);
  if (container !== null && (kind === 'container' || kind === 'equipment')) return container.slice(1).join(' ');
  const waybill = /^(\d{3})-?(\d{4})(\d{4})$/.exec(plain);
  if (waybill !== null && (kind === 'awb' || kind === 'hawb')) return `${waybill[1]}-${waybill[2]} ${waybill[3]}`;
  const parcel = /^1Z([A-Z0-9]{3})([A-Z0-9]{3})([A-Z0-9]{2})(\d{4})(\d{4})$/.exec(plain);
  if (parcel !== null) return ['1Z', ...parcel.slice(1)].join(' ');
  const numbered = /^([A-Z]{4})([A-Z]*)(\d+)$/.exec(plain);
  if (numbered !== null) {
    const [, owner = '', letters = '', digits = ''] = numbered;
    return [owner, letters, ...inGroups(digits)].filter((part) => part !== '').join(' ');
  }
  return /^\d+$/.test(plain) ? inGroups(plain).join(' ') : value;
}

/** Threes where they come out even, else fours; what is left stands last. */
function inGroups(digits: string): string[] {
  const size = digits.length % 3 === 0 && digits.length <= 9 ? 3 : 4;
  return digits.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
}

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
