import type { AddedEvents, ChangeData, ShipmentChanges } from '#shared/domain/feed/change.ts';
import { dictionaryOf, packText, unpackText } from '../packing/pack-text.ts';

/** The changes that one statement makes to a shipment: they show the same snapshot. */
type PackedChanges = {
  shipment: ChangeData['shipment'];
  list: { changes: ShipmentChanges; added?: AddedEvents }[];
};

/**
 * The data of changes with one snapshot, as one value. `dataAt` gives back each of them by its place. Names that clients
 * choose are ordered as jsonb orders them, in which all answers give them.
 */
export function packChanges(together: readonly ChangeData[]): Buffer {
  return packText(changesText(together), dictionaryOf('change'));
}

/** What `packChanges` packs. */
export function changesText(together: readonly ChangeData[]): string {
  const [first] = together;
  if (first === undefined) throw new Error('there are no changes to pack');
  const packed: PackedChanges = {
    shipment: { ...first.shipment, identifiers: inStoredOrder(first.shipment.identifiers) },
    list: together.map(({ changes, added }) => ({ changes: orderedChanges(changes), ...(added && { added }) })),
  };
  return JSON.stringify(packed);
}

/** Gives the data of each of the packed changes by its place. */
export function unpackChanges(packed: Uint8Array): { dataAt: (place: number) => ChangeData } {
  const { shipment, list }: PackedChanges = JSON.parse(unpackText(packed));
  return {
    dataAt: (place) => {
      const own = list[place];
      if (own === undefined) throw new Error(`a packed value holds ${list.length} changes, but not number ${place}`);
      return { shipment, ...own };
    },
  };
}

function orderedChanges(changes: ShipmentChanges): ShipmentChanges {
  const { identifiers, metadata } = changes;
  return {
    ...changes,
    ...(identifiers && { identifiers: [inStoredOrder(identifiers[0]), inStoredOrder(identifiers[1])] }),
    ...(metadata && { metadata: [inStoredOrder(metadata[0]), inStoredOrder(metadata[1])] }),
  };
}

/** By the length of the name in UTF-8, then by its bytes. */
function inStoredOrder<Values extends Record<string, unknown>>(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => ({ name, value, bytes: Buffer.from(name) }));
  entries.sort((left, right) => left.bytes.length - right.bytes.length || Buffer.compare(left.bytes, right.bytes));
  return Object.fromEntries(entries.map(({ name, value }) => [name, value])) as Values;
}
