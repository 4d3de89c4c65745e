import type { ChangeData, ShipmentChanges } from '#shared/domain/feed/change.ts';
import { dictionaryOf, packText, unpackText } from '../packing/pack-text.ts';
import { compareNames } from '../packing/sort-json.ts';

/** Data that a change shares with no other change. */
type OwnData = Omit<ChangeData, 'shipment'>;

/**
 * The data of changes with one snapshot, as one value. `dataAt` gives back each of them by its place. Changed fields, and
 * names that clients choose, are ordered as jsonb orders them, in which all answers give them.
 */
export function packChanges(together: readonly ChangeData[]): Buffer {
  return packText(changesText(together), dictionaryOf('change'));
}

/**
 * Returns the text that `packChanges` packs: a line of JSON with the snapshot and one for each change, so that a page
 * that shows one of them parses no others.
 */
export function changesText(together: readonly ChangeData[]): string {
  const [first] = together;
  if (first === undefined) throw new Error('there are no changes to pack');
  const shipment = { ...first.shipment, identifiers: inStoredOrder(first.shipment.identifiers) };
  const own = together.map(
    ({ shipment: _shipment, changes, ...others }): OwnData => ({ changes: orderedChanges(changes), ...others }),
  );
  return [shipment, ...own].map((line) => JSON.stringify(line)).join('\n');
}

/** Gives the data of each of the packed changes by its place. */
export function unpackChanges(packed: Uint8Array): { dataAt: (place: number) => ChangeData } {
  const [snapshot = '', ...lines] = unpackText(packed).split('\n');
  const shipment: ChangeData['shipment'] = JSON.parse(snapshot);
  return {
    dataAt: (place) => {
      const line = lines[place];
      if (line === undefined) throw new Error(`a packed value holds ${lines.length} changes, but not number ${place}`);
      return { shipment, ...(JSON.parse(line) as OwnData) };
    },
  };
}

function orderedChanges(changes: ShipmentChanges): ShipmentChanges {
  const { identifiers, metadata } = changes;
  return inStoredOrder({
    ...changes,
    ...(identifiers && { identifiers: [inStoredOrder(identifiers[0]), inStoredOrder(identifiers[1])] }),
    ...(metadata && { metadata: [inStoredOrder(metadata[0]), inStoredOrder(metadata[1])] }),
  });
}

function inStoredOrder<Values extends Record<string, unknown>>(values: Values): Values {
  const entries = Object.entries(values).sort(([left], [right]) => compareNames(left, right));
  return Object.fromEntries(entries) as Values;
}
