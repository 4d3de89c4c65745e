/**
 * An identifier in groups: containers as `MSKU 123456 5` (ISO 6346: owner, serial, check digit), air waybills as
 * `020-0800 2050` (IATA: prefix, then four and four), anything else as its letters, then groups of three or four. Only
 * spaces are added.
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

/** Groups of three if they come out even, else of four. */
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

/** The identifier that names a shipment: the first present one in this order. */
export function leadingIdentifier(
  identifiers: Readonly<Record<string, string | null>>,
): { kind: string; value: string } | null {
  for (const kind of [...leading, ...Object.keys(identifiers)]) {
    const value = identifiers[kind];
    if (typeof value === 'string' && value !== '') return { kind, value };
  }
  return null;
}
