import type { Identifiers, Journey } from '#shared/domain/shipment.ts';

export type Searchable = { identifiers: Identifiers; reference: string | null; carrier: string; carrierName: string; journey: Journey };

const longestText = 4000;

/**
 * What `q` looks through, in lower case: identifiers as displayed and without separators, reference, carrier, containers, vessels, places.
 */
export function searchText(shipment: Searchable): string {
  const { journey } = shipment;
  const parts = new Set<string>();
  const add = (text: string | null | undefined) => {
    if (text !== null && text !== undefined && text !== '') parts.add(text.toLowerCase());
  };
  for (const value of Object.values(shipment.identifiers)) {
    add(value);
    add(value.replace(/[\s-]/g, ''));
  }
  for (const text of [shipment.reference, shipment.carrier, shipment.carrierName]) add(text);
  for (const container of journey.containers) add(container.number);
  for (const place of [
    journey.origin,
    journey.destination,
    journey.currentLocation,
    ...journey.legs.flatMap((leg) => [leg.from, leg.to]),
  ]) {
    add(place?.name);
    add(place?.unlocode);
  }
  for (const leg of journey.legs) for (const text of [leg.vehicle?.name, leg.vehicle?.voyage, leg.vehicle?.flight]) add(text);
  return [...parts].join('\n').slice(0, longestText);
}
