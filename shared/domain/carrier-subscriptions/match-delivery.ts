import { matchValue, matchValues } from '../registration/identifiers.ts';
import type { NamedNumbers } from './carrier-subscription.ts';

/**
 * A shipment that an event may be about, with its numbers as they are stored for comparison, including the carrier's.
 */
export type DeliveryCandidate = {
  shipmentId: string;
  carrier: string;
  /** The journey is over: the container may be on another voyage. */
  closed: boolean;
  bills: string[];
  bookings: string[];
  containers: string[];
};

/** Every value under which a shipment with these numbers can be stored. */
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
 * True when an event is about a shipment. The first kind of number that both have decides: B/L, booking, container.
 * Containers are reused, so a container only decides for a shipment without documents, or for an event without
 * documents and an active shipment.
 */
export function isAbout(named: NamedNumbers, shipment: DeliveryCandidate): boolean {
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
