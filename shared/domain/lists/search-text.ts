import { foldText } from '../fold-text.ts';
import type { Identifiers, Journey } from '../record/shipment.ts';

export type Searchable = {
  identifiers: Identifiers;
  references?: readonly string[];
  reference: string | null;
  carrier: string;
  carrierName: string;
  journey: Pick<Journey, 'origin' | 'destination' | 'currentLocation' | 'legs' | 'containers' | 'pieces'>;
};

const maxTextLength = 4000;

/**
 * The text that `q` searches, folded: reference, carrier, identifiers as displayed and without separators, places and
 * their terminals, vessels, other references, containers, pieces. Lists that may be long come last, so that truncation
 * never drops an origin or a destination.
 */
export function searchText(shipment: Searchable): string {
  const { journey } = shipment;
  const parts = new Set<string>();
  const add = (text: string | null | undefined) => {
    if (text !== null && text !== undefined && text !== '') parts.add(foldText(text));
  };
  const places = [
    journey.origin,
    journey.destination,
    journey.currentLocation,
    ...journey.legs.flatMap((leg) => [leg.from, leg.to]),
  ];
  for (const text of [shipment.reference, shipment.carrier, shipment.carrierName]) add(text);
  for (const value of Object.values(shipment.identifiers)) {
    add(value);
    add(value.replace(/[\s-]/g, ''));
  }
  for (const place of places)
    for (const text of [place?.name, place?.unlocode, place?.iata, place?.facility]) add(text);
  for (const leg of journey.legs)
    for (const text of [leg.vehicle?.name, leg.vehicle?.voyage, leg.vehicle?.flight]) add(text);
  for (const reference of shipment.references ?? []) add(reference);
  for (const container of journey.containers) add(container.number);
  for (const piece of journey.pieces) add(piece.trackingNumber);
  return [...parts].join('\n').slice(0, maxTextLength);
}
