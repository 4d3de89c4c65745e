import type { City } from './cities.ts';

/** An address in FedEx's fields. */
export function addressOf(city: City): Record<string, string> {
  return {
    city: city.name.toUpperCase(),
    ...(city.state === null ? {} : { stateOrProvinceCode: city.state }),
    countryCode: city.country,
    postalCode: city.postalCode,
  };
}
