import type { Place } from '#shared/domain/events/event.ts';
import { countryOfState } from '#shared/places/states.ts';
import { child, type LenientObject, text } from '../lenient-object.ts';
import { parcelPlace } from '../reading/parcel-reading.ts';

export function placeOf(address: LenientObject | null): Place | null {
  const state = text(address, 'stateOrProvinceCode');
  return parcelPlace({
    city: text(address, 'city'),
    state,
    postalCode: text(address, 'postalCode'),
    country: text(address, 'countryCode') ?? countryOfState(state),
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
