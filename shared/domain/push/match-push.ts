import { matchValue, matchValues } from '../registration/identifiers.ts';
import type { NamedNumbers } from './push.ts';

/** A shipment that an event may be about: its numbers as they are stored for comparison, the carrier's own included. */
export type PushCandidate = {
  shipmentId: string;
  carrier: string;
  /** The cargo has arrived for good: its container may be on another voyage by now. */
  closed: boolean;
  bills: string[];
  bookings: string[];
  containers: string[];
};

/** Every value under which a shipment that these numbers name can be stored. */
export function soughtValues(named: readonly NamedNumbers[]): string[] {
  const values = new Set<string>();
  for (const { bills, bookings, containers } of named) {
    for (const bill of bills) for (const { value } of matchValues('mbl', bill, null).candidates) values.add(value);
    for (const booking of bookings)
      for (const { value } of matchValues('booking', booking, null).candidates) values.add(value);
    for (const container of containers) values.add(matchValue(container));
  }
  return [...values];
}

/**
 * Whether an event is about a shipment, decided by the first kind of number that both have: B/L, booking, container. A container makes many
 * voyages, so it decides alone only for a shipment without documents, or for an event that names none and a shipment that is under way.
 */
export function isAbout(named: NamedNumbers, shipment: PushCandidate): boolean {
  const { carrier, bills, bookings, containers } = shipment;
  const shares = (key: 'mbl' | 'booking', written: readonly string[], stored: readonly string[]) =>
    written.some((each) => {
      const plain = matchValue(each);
      return stored.includes(plain) || stored.includes(matchValues(key, each, carrier).stored);
    });
  if (bills.length > 0 && named.bills.length > 0) return shares('mbl', named.bills, bills);
  if (bookings.length > 0 && named.bookings.length > 0) return shares('booking', named.bookings, bookings);
  const hasDocuments = bills.length > 0 || bookings.length > 0;
  const namesDocuments = named.bills.length > 0 || named.bookings.length > 0;
  if (hasDocuments && (namesDocuments || shipment.closed)) return false;
  return named.containers.some((container) => containers.includes(matchValue(container)));
}
