import type { Place } from '#shared/domain/events/event.ts';
import { countryOfCity } from '#shared/places/find-city.ts';
import { child, type LenientObject, text } from '../lenient-object.ts';
import { parcelPlace } from '../reading/parcel-reading.ts';

export function placeOf(address: LenientObject | null): Place | null {
  const city = text(address, 'city');
  const state = text(address, 'stateOrProvinceCode');
  return parcelPlace({
    city,
    state,
    postalCode: text(address, 'postalCode'),
    country: text(address, 'countryCode') ?? countryOfCity(city, state),
  });
}

/** The address of a FedEx location. */
export function addressOf(location: LenientObject | null): LenientObject | null {
  return child(child(location, 'locationContactAndAddress'), 'address');
}

export function originOf(result: LenientObject): Place | null {
  return (
    placeOf(child(child(result, 'shipperInformation'), 'address')) ??
    placeOf(addressOf(child(result, 'originLocation')))
  );
}

export function destinationOf(result: LenientObject): Place | null {
  return (
    placeOf(child(result, 'lastUpdatedDestinationAddress')) ??
    placeOf(child(child(result, 'recipientInformation'), 'address')) ??
    placeOf(addressOf(child(result, 'destinationLocation')))
  );
}
