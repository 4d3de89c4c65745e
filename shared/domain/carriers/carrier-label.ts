import { type Carrier, carriers, findCarrier } from './carrier-catalogue.ts';

/** What stands for a carrier that the catalogue does not have: what clients make up must not grow the set of labels. */
const otherCarrier = '_OTHER';

/** The carrier's code of the catalogue, as a label of a metric. */
export function carrierLabel(code: string): string {
  return findCarrier(code)?.code ?? otherCarrier;
}

/** The carrier whose calls a connector makes, as a label of a metric; a connector that asks several stands for itself. */
export function labelOfConnector(connector: string): string {
  return carrierOfConnector(connector)?.code ?? connector;
}

/** The carrier that a connector is of: the only one, or the one that it is named after; null: it asks several. */
export function carrierOfConnector(connector: string): Carrier | null {
  const asked = carriers.filter((carrier) => carrier.connector === connector);
  const namesake = asked.find(({ name }) => name.toLowerCase().replaceAll(' ', '-') === connector);
  return namesake ?? (asked.length === 1 ? (asked[0] ?? null) : null);
}
