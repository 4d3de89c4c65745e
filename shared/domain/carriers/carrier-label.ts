import { type Carrier, carriers, findCarrier } from './carrier-catalogue.ts';
import { connectorStandards } from './known-connectors.ts';

/** The label of carriers outside the catalogue: names that clients make up must not grow the set of labels. */
const otherCarrier = '_OTHER';

/** The carrier's catalogue code, as a metric label. */
export function carrierLabel(code: string): string {
  return findCarrier(code)?.code ?? otherCarrier;
}

/** The carrier that a connector calls, as a metric label. A connector for several carriers is its own label. */
export function labelOfConnector(connector: string): string {
  return carrierOfConnector(connector)?.code ?? connector;
}

/** The name of a connector, for people. */
export function connectorName(connector: string): string {
  return connectorStandards[connector] ?? carrierOfConnector(connector)?.name ?? connector;
}

/** The only carrier of a connector, or the one that it is named after. Null: it serves several. */
export function carrierOfConnector(connector: string): Carrier | null {
  const asked = carriers.filter((carrier) => carrier.connector === connector);
  const namesake = asked.find(({ name }) => name.toLowerCase().replaceAll(' ', '-') === connector);
  return namesake ?? (asked.length === 1 ? (asked[0] ?? null) : null);
}
