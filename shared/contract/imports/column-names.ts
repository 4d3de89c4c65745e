import { type TransportMode, transportModes } from '#shared/domain/events/transport-mode.ts';
import { type SnakeCase, snakeCase } from '#shared/domain/fold-text.ts';
import { type IdentifierKey, identifierKeys } from '#shared/domain/record/shipment.ts';
import { type StatedName, statedNames } from '#shared/domain/record/stated-fields.ts';
import { inputNamesOf, keyOfAlias } from '#shared/domain/registration/identifier-rules.ts';

export type ImportField = (typeof knownFields)[number] | SnakeCase<StatedName>;

const knownFields = [
  ...['transport_mode', 'carrier', 'service_type', 'reference', 'tags', 'destination_postal_code', 'tracking_mode'],
  ...['stale_after_hours', 'metadata', 'shipment_id'],
] as const;

/** A stated field is one by its row in `shared/domain/record/stated-fields.ts`. */
export const importFields: readonly ImportField[] = [...new Set([...knownFields, ...statedNames.map(snakeCase)])];

/**
 * Other names of fields: those of the exports of Terminal49, project44, AfterShip and ShipStation, of ERP systems, and
 * German ones. Compared without case, spaces and punctuation.
 */
const fieldNames: Readonly<Partial<Record<ImportField, readonly string[]>>> = {
  transport_mode: [
    'mode',
    'mode of transport',
    'transportation mode',
    'shipment mode',
    'transport type',
    'transportart',
    'verkehrsträger',
  ],
  carrier: [
    'carrier code',
    'carrier name',
    'carrier scac',
    'scac',
    'scac code',
    'courier',
    'courier code',
    'courier name',
    'courier slug',
    'slug',
    'shipping line',
    'shipping line scac',
    'ocean carrier',
    'steamship line',
    'ssl',
    'airline',
    'shipping provider',
    'reederei',
    'frachtführer',
    'transportunternehmen',
    'versanddienstleister',
    'paketdienst',
  ],
  reference: [
    'ref',
    'ref no',
    'ref number',
    'reference no',
    'reference number',
    'customer reference',
    'customer ref',
    'client reference',
    'your reference',
    'shipper reference',
    'shipment reference',
    'order',
    'order id',
    'order no',
    'order number',
    'referenz',
    'referenznummer',
    'kundenreferenz',
    'auftrag',
    'auftragsnummer',
    'bestellnummer',
  ],
  tags: ['tag', 'shipment tags', 'labels', 'schlagworte'],
  destination_postal_code: [
    'postal code',
    'postcode',
    'zip',
    'zip code',
    'destination zip',
    'destination postcode',
    'ship to zip',
    'ship to postal code',
    'recipient postal code',
    'tracking postal code',
    'plz',
    'postleitzahl',
  ],
};

const identifierNames: Readonly<Partial<Record<IdentifierKey, readonly string[]>>> = {
  mbl: [
    'bl no',
    'mbl id',
    'master bl',
    'mb l',
    'master b l',
    'master bl number',
    'master bl no',
    'obl',
    'ocean bill of lading',
  ],
  booking: ['bkg', 'bkg no', 'booking id', 'buchungsnummer', 'buchung'],
  container: ['containers', 'container id', 'containernummer', 'cntr', 'cntr no', 'ctr no', 'containernr'],
  hbl: ['house bl', 'house bl number', 'house bl no'],
  awb: ['airwaybill', 'air way bill', 'air waybill no', 'luftfrachtbrief', 'awb nr'],
  hawb: ['house airwaybill', 'house awb'],
  tracking_number: [
    'tracking id',
    'tracking code',
    'tracking numbers',
    'carrier tracking number',
    'shipment tracking number',
    'trackingnummer',
    'sendungsnummer',
    'paketnummer',
  ],
  pro: ['pro id'],
  bol: ['bill of lading no', 'bol id', 'lading number', 'konnossement', 'konnossementnummer', 'frachtbrief'],
  equipment: ['equipment id', 'trailer no'],
  po: ['purchase order no', 'customer po', 'po numbers'],
};

/** Identifiers for the numbers of columns whose name is no identifier of the mode. */
const otherKeys: Readonly<Partial<Record<IdentifierKey, Partial<Record<TransportMode, IdentifierKey | 'reference'>>>>> =
  {
    bol: { ocean: 'mbl' },
    mbl: { road: 'bol' },
    awb: { parcel: 'tracking_number' },
    waybill: { air: 'awb', parcel: 'tracking_number' },
    tracking_number: { air: 'awb', road: 'pro' },
    po: { ocean: 'reference', air: 'reference', parcel: 'reference', rail: 'reference' },
  };

const fieldOf = new Map<string, ImportField>([
  ...importFields.map((field) => [plainName(field), field] as const),
  ...entriesOf(fieldNames),
]);
const identifierOf = new Map<string, IdentifierKey>([
  ...transportModes.flatMap((mode) =>
    inputNamesOf(mode).flatMap((name) => {
      const key = keyOfAlias(mode, name);
      return key === null ? [] : [[plainName(name), key] as const];
    }),
  ),
  ...entriesOf(identifierNames),
]);

/** The field or identifier that a column of this name holds, or null. */
export function knownColumn(
  sent: string,
): { kind: 'field'; name: ImportField } | { kind: 'identifier'; name: IdentifierKey } | null {
  // As an export names them.
  const own = sent.replace(/^identifiers\./i, '');
  const plain = plainName(own);
  const field = fieldOf.get(plain);
  if (field !== undefined) return { kind: 'field', name: field };
  const identifier = identifierOf.get(plain);
  return identifier === undefined ? null : { kind: 'identifier', name: identifier };
}

/** The identifier or field that a number of a column stands for in a row of this mode. */
export function keyInMode(key: IdentifierKey, mode: TransportMode | null): IdentifierKey | 'reference' {
  if (mode === null || keyOfAlias(mode, key) !== null) return key;
  return otherKeys[key]?.[mode] ?? key;
}

/** Every name that a mistyped column may have meant. */
export const columnNames: readonly string[] = [...importFields, ...identifierKeys, 'scac', 'courier', 'order_number'];

/** `B/L No.` and `bl_no` are the same name, as are `Tracking Number` and `trackingNumber`. */
function plainName(sent: string): string {
  return foldedName(sent).replace(/ /g, '');
}

/** Lower case; only letters and digits, with single spaces where there was anything else but punctuation of a word. */
function foldedName(sent: string): string {
  return sent
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replace(/(?<=\p{L})[/.](?=\p{L})/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

function entriesOf<Name extends string>(names: Readonly<Partial<Record<Name, readonly string[]>>>): [string, Name][] {
  return Object.entries(names).flatMap(([name, others]) =>
    (others as readonly string[]).map((other): [string, Name] => [plainName(other), name as Name]),
  );
}
