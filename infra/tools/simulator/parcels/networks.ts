import type { Random } from '../voyages/random.ts';
import { type City, cityOf } from './cities.ts';

/** The simulated parcel carriers. */
export type ParcelCarrier = 'ups' | 'fedex' | 'dhl' | 'usps' | 'gls';

/** Places where a carrier picks up and delivers, its hubs, and its customs gateways. */
type Network = {
  cities: readonly [string, ...string[]];
  hubs: readonly [string, ...string[]];
  gateways: Readonly<Record<string, string>>;
};

const american = [
  'New York',
  'Boston',
  'Atlanta',
  'Columbus',
  'Chicago',
  'Minneapolis',
  'Denver',
  'Seattle',
  'San Francisco',
] as const;
const continental = ['Berlin', 'München', 'Bremen', 'Amsterdam', 'Łódź', 'Paris', 'Lyon', 'Milano'] as const;
const european = [...continental, 'Manchester'] as const;

const networks: Readonly<Record<ParcelCarrier, Network>> = {
  ups: {
    cities: [...american, 'Berlin', 'Paris'],
    hubs: ['Louisville'],
    gateways: { US: 'Newark', DE: 'Köln', FR: 'Lyon' },
  },
  fedex: {
    cities: [...american, 'München', 'Manchester'],
    hubs: ['Memphis'],
    gateways: { US: 'Newark', DE: 'Köln', GB: 'East Midlands' },
  },
  dhl: {
    cities: [...european, '東京', 'Boston'],
    hubs: ['Leipzig'],
    gateways: { US: 'Cincinnati', GB: 'East Midlands' },
  },
  // The two have routes without customs only.
  usps: { cities: american, hubs: ['Memphis', 'Louisville'], gateways: {} },
  gls: { cities: continental, hubs: ['Leipzig'], gateways: {} },
};

/** True for the connector of a parcel carrier. */
export function isParcelCarrier(connector: string): connector is ParcelCarrier {
  return Object.hasOwn(networks, connector);
}

/**
 * A parcel's route: origin, destination and the facilities in between. `isImported`: it passes customs at the last of
 * these.
 */
export type Route = { origin: City; destination: City; between: City[]; isImported: boolean };

const customsUnion = ['DE', 'FR', 'IT', 'NL', 'PL'];

/** Plans a route through the carrier's network. */
export function planRoute(random: Random, carrier: ParcelCarrier): Route {
  const { cities, hubs, gateways } = networks[carrier];
  const origin = cityOf(random.pick(cities));
  let destination = cityOf(random.pick(cities));
  while (destination.name === origin.name) destination = cityOf(random.pick(cities));
  const isImported = origin.country !== destination.country && !(isInside(origin) && isInside(destination));
  const gateway = isImported ? gateways[destination.country] : undefined;
  const names = [random.pick(hubs), ...(gateway === undefined ? [] : [gateway])];
  const between = names.filter((name) => name !== origin.name && name !== destination.name).map(cityOf);
  return { origin, destination, between, isImported };
}

function isInside(city: City): boolean {
  return customsUnion.includes(city.country);
}
