import type { PickupPoint, Place, ReadEvent } from '#shared/domain/events/event.ts';
import { child, type LenientObject, plainText, readObject, text } from '../lenient-object.ts';
import { parcelPlace } from '../reading/parcel-reading.ts';

export function endOf(shipment: LenientObject, end: 'origin' | 'destination'): Place | null {
  return placeOf(child(child(shipment, end), 'address'));
}

/** DHL documents an address, and some of its services send the place as plain text. */
export function locationOf(event: LenientObject): Place | null {
  const own = event.get('location');
  if (typeof own !== 'string') return placeOf(child(child(event, 'location'), 'address'));
  return parcelPlace({ city: plainText(own), state: null, country: null });
}

/** Town, state and country may be in one field: `Whittier, CA, US` (eCommerce), `TOKYO - JAPAN` (Express). */
function placeOf(address: LenientObject | null): Place | null {
  return parcelPlace({
    city: text(address, 'addressLocality'),
    state: text(address, 'addressRegion'),
    country: text(address, 'countryCode', 'addressCountry'),
    postalCode: text(address, 'postalCode'),
  });
}

const kinds = [
  ['locker', /\b(locker|packstation|poststation)\b/],
  ['post_office', /\b(post office|postfiliale|filiale)\b/],
  ['shop', /\b(shop|store|kiosk|paketshop)\b/],
] as const;

/**
 * The service point of the newest event that waits at one, or else of the destination. DHL names it by a label and a
 * link.
 */
export function pickupPointOf(shipment: LenientObject, events: readonly ReadEvent[]): PickupPoint | null {
  const waiting = events.find((event) => event.code === 'available_for_pickup');
  const places = [child(readObject(waiting?.raw), 'location'), child(shipment, 'destination')];
  for (const place of places) {
    const label = text(child(place, 'servicePoint'), 'label');
    if (label === null) continue;
    const address = child(place, 'address');
    const lower = label.toLowerCase();
    const lines = [text(address, 'streetAddress'), text(address, 'addressLine')].filter((line) => line !== null);
    return {
      kind: kinds.find(([, pattern]) => pattern.test(lower))?.[0] ?? 'other',
      id: null,
      name: label,
      address: lines.join(', ') || null,
      place: placeOf(address),
      hours: null,
      keptUntil: null,
    };
  }
  return null;
}
