/** A city with a terminal of a simulated carrier. `country` is ISO 3166-1 alpha-3, coordinates are in degrees. */
export type City = {
  city: string;
  state: string;
  country: string;
  postalCode: string;
  zone: string;
  latitude: number;
  longitude: number;
};

export const cities: readonly [City, ...City[]] = [
  {
    city: 'Dallas',
    state: 'TX',
    country: 'USA',
    postalCode: '75201',
    zone: 'America/Chicago',
    latitude: 32.7767,
    longitude: -96.797,
  },
  {
    city: 'Memphis',
    state: 'TN',
    country: 'USA',
    postalCode: '38103',
    zone: 'America/Chicago',
    latitude: 35.1495,
    longitude: -90.049,
  },
  {
    city: 'Atlanta',
    state: 'GA',
    country: 'USA',
    postalCode: '30303',
    zone: 'America/New_York',
    latitude: 33.749,
    longitude: -84.388,
  },
  {
    city: 'Chicago',
    state: 'IL',
    country: 'USA',
    postalCode: '60606',
    zone: 'America/Chicago',
    latitude: 41.8781,
    longitude: -87.6298,
  },
  {
    city: 'Denver',
    state: 'CO',
    country: 'USA',
    postalCode: '80202',
    zone: 'America/Denver',
    latitude: 39.7392,
    longitude: -104.9903,
  },
  {
    city: 'Phoenix',
    state: 'AZ',
    country: 'USA',
    postalCode: '85004',
    zone: 'America/Phoenix',
    latitude: 33.4484,
    longitude: -112.074,
  },
  {
    city: 'Toronto',
    state: 'ON',
    country: 'CAN',
    postalCode: 'M5H 2N2',
    zone: 'America/Toronto',
    latitude: 43.6532,
    longitude: -79.3832,
  },
  {
    city: 'Monterrey',
    state: 'NLE',
    country: 'MEX',
    postalCode: '64000',
    zone: 'America/Monterrey',
    latitude: 25.6866,
    longitude: -100.3161,
  },
];
