import { carriers, findCarrier } from './carrier-catalogue.ts';

/** What stands for a carrier that the catalogue does not have: what clients make up must not grow the set of labels. */
const otherCarrier = '_OTHER';

/** The carrier's code of the catalogue, as a label of a metric. */
export function carrierLabel(code: string): string {
  return findCarrier(code)?.code ?? otherCarrier;
}

/** The one carrier that a connector asks, as a label of a metric; a connector that asks several stands for itself. */
export function labelOfConnector(connector: string): string {
  const [only, ...others] = carriers.filter((carrier) => carrier.connector === connector);
  return only !== undefined && others.length === 0 ? only.code : connector;
}
