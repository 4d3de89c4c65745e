import type { CarrierTime, EventCode, Place, ReadEvent, Reading } from '#shared/domain/tracking/event.ts';
import { compareText, eventTimeMs, placeKey } from '#shared/domain/tracking/event-order.ts';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import type { SetAside } from '#shared/domain/tracking/unreadable.ts';
import { timezoneOfAddress } from '#shared/places/country-timezone.ts';
import { enrichPlace } from '#shared/places/find-place.ts';
import { bareEvent } from './bare-event.ts';
import { FetchFailure } from './fetch-failure.ts';

/** A parcel's event, or a rejected one with the reason. */
export type ParcelScan = ReadEvent | SetAside;

/** The address fields that carriers send with a scan. */
export type ParcelAddress = { city: string | null; state: string | null; country: string | null };

const statesNamed = ['US', 'CA', 'AU', 'BR', 'MX'];
/** While a parcel waits at a facility, these codes mean handling there, not a departure. */
const leavingCodes: readonly EventCode[] = ['departed_facility', 'out_for_delivery', 'return_started'];

/**
 * The parcel's number in the form that carriers expect: upper case, without spaces and hyphens. Throws `FetchFailure`
 * when the shipment has none.
 */
export function trackingNumberOf(subject: RefreshSubject): string {
  const number = subject.identifiers.tracking_number?.replace(/[\s\p{Pd}]/gu, '').toUpperCase() ?? '';
  if (number !== '') return number;
  throw new FetchFailure('wrong_identifier_type', 'this carrier requires a tracking number and the shipment has none', {
    permanent: true,
  });
}

/**
 * Converts an address to a place. The name includes the state where city names repeat. The timezone is set only where
 * country and state have exactly one.
 */
export function parcelPlace(address: ParcelAddress): Place | null {
  const written = address.country?.toUpperCase() ?? '';
  const country = /^[A-Z]{2}$/.test(written) ? written : null;
  const state = address.state?.toUpperCase() ?? null;
  if (address.city === null && country === null) return null;
  const name =
    address.city !== null && state !== null && country !== null && statesNamed.includes(country)
      ? `${address.city}, ${state}`
      : address.city;
  return enrichPlace({
    name,
    unlocode: null,
    iata: null,
    country,
    lat: null,
    lng: null,
    timezone: timezoneOfAddress(country, state),
    facility: null,
  });
}

/** The expected delivery as an event at the destination. */
export function expectedDelivery(
  time: CarrierTime,
  details: { classifier: 'planned' | 'estimated'; place: Place | null; carrierCode: string; raw: unknown },
): ReadEvent {
  const { classifier, place, carrierCode, raw } = details;
  return bareEvent({ code: 'delivered', classifier, time, location: place, mode: 'parcel', carrierCode, raw });
}

/**
 * The reading of a parcel from its scans and expected delivery. A scan at the hub where the parcel is counts as
 * handling there, not as a step back to transit. A delivered parcel has no expected delivery.
 */
export function parcelReading(scans: readonly ParcelScan[], expected: readonly ReadEvent[], source: string): Reading {
  const events: ReadEvent[] = [];
  const rejected: Reading['rejected'] = [];
  for (const scan of scans) {
    if ('reason' in scan) rejected.push(scan);
    else events.push(scan);
  }
  const isDelivered = events.some((event) => event.code === 'delivered');
  return { events: [...settleHubScans(events), ...(isDelivered ? [] : expected)], rejected, source };
}

function settleHubScans(events: readonly ReadEvent[]): ReadEvent[] {
  const codes = new Map<ReadEvent, EventCode>();
  let hub: string | null = null;
  const ordered = [...events].sort(
    (left, right) => eventTimeMs(left) - eventTimeMs(right) || compareText(left.code, right.code),
  );
  for (const event of ordered) {
    const place = placeKey(event.location);
    if (event.code === 'arrived_at_facility') hub = place;
    else if (leavingCodes.includes(event.code)) hub = null;
    else if (event.code === 'in_transit' && hub !== null && place === hub) codes.set(event, 'arrived_at_facility');
    else if (place !== null && place !== hub) hub = null;
  }
  return events.map((event) => ({ ...event, code: codes.get(event) ?? event.code }));
}
