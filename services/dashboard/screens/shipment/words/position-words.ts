import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { statusRanks } from '#shared/domain/journey/status-transitions.ts';
import type { Status } from '#shared/domain/record/shipment.ts';
import { placeName } from '#shared/route-map/stops.ts';

export type Positioned = Pick<
  WireShipment,
  'status' | 'legs' | 'current_location' | 'destination' | 'container_status_counts' | 'piece_status_counts'
>;

/** One sentence on the place, the vehicle and the next stop of cargo in transit. Empty if nothing is known. */
export function positionWords({ status, legs, current_location: place, destination }: Positioned): string {
  if (status !== 'in_transit') return '';
  const end = placeName(destination);
  if (place !== null) {
    const here = placeName(place);
    return end === '' || here === end ? `It is in ${here}.` : `It is in ${here}, bound for ${end}.`;
  }
  const leg = legs.findLast(({ departure, arrival }) => departure.actual !== null && arrival.actual === null);
  if (leg === undefined) return '';
  const vehicle = vehicleWords(leg);
  const next = placeName(leg.to);
  const way = [vehicle === '' ? '' : `on ${vehicle}`, next === '' ? '' : `to ${next}`].filter((part) => part !== '');
  if (way.length === 0) return '';
  const onward = end === '' || end === next ? '' : `, bound for ${end}`;
  return `It is ${leg.mode === 'ocean' ? 'at sea' : 'under way'} ${way.join(' ')}${onward}.`;
}

function vehicleWords({ vehicle }: WireShipment['legs'][number]): string {
  if (vehicle === null) return '';
  if (vehicle.flight !== null) return `flight ${vehicle.flight}`;
  if (vehicle.name === null) return '';
  return vehicle.voyage === null ? vehicle.name : `${vehicle.name} (voyage ${vehicle.voyage})`;
}

const unitPhrases: Partial<Record<Status, string>> = {
  arrived: 'at the destination',
  available_for_pickup: 'available for pickup',
  in_transit: 'in transit',
  out_for_delivery: 'out for delivery',
  failed: 'lost or undeliverable',
};

type Counted = Pick<Positioned, 'container_status_counts' | 'piece_status_counts'>;

/**
 * One sentence on the spread of containers or pieces: `1 of 4 containers is delivered, 3 are in transit.` Empty if all
 * have one status.
 */
export function spreadWords({ container_status_counts: containers, piece_status_counts: pieces }: Counted): string {
  const noun = Object.keys(containers).length > 0 ? 'containers' : 'pieces';
  const counts = noun === 'containers' ? containers : pieces;
  const present = (Object.entries(counts) as [Status, number][])
    .filter(([, count]) => count > 0)
    .toSorted(([left], [right]) => (statusRanks[right] ?? 0) - (statusRanks[left] ?? 0));
  if (present.length < 2) return '';
  const total = present.reduce((sum, [, count]) => sum + count, 0);
  const parts = present.map(([status, count], index) => {
    const amount = index === 0 ? `${count} of ${total} ${noun}` : String(count);
    return `${amount} ${count === 1 ? 'is' : 'are'} ${unitPhrases[status] ?? status.replaceAll('_', ' ')}`;
  });
  return `${parts.join(', ')}.`;
}
