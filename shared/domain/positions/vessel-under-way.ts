import type { Journey } from '../shipments/shipment.ts';

/** IMO number of the vessel that carries the shipment now. Null: none does, or its number is unknown. */
export function vesselUnderWay({ legs }: Pick<Journey, 'legs'>): string | null {
  const leg = legs.findLast(({ departure, arrival }) => departure.actual !== null && arrival.actual === null);
  const imo = leg?.mode === 'ocean' ? (leg.vehicle?.imo ?? null) : null;
  return imo !== null && /^\d{7}$/.test(imo) ? imo : null;
}
