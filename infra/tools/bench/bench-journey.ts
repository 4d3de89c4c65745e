import type { found } from '#test/support/carriers/refreshed-shipment.ts';

const shanghai = {
  name: 'Shanghai',
  unlocode: 'CNSHA',
  iata: null,
  country: 'CN',
  lat: 31.2,
  lng: 121.5,
  timezone: 'UTC',
  facility: null,
};
const rotterdam = { ...shanghai, name: 'Rotterdam', unlocode: 'NLRTM', country: 'NL', lat: 51.9, lng: 4.5 };
const vehicle = { name: 'Landfall Star', imo: '9074729', voyage: '101W', flight: null };

/** A carrier's reading of a shipment in transit. */
export const benchJourney: Parameters<typeof found> = [
  { code: 'booking_confirmed', local: '2026-03-01T09:00', location: shanghai },
  { code: 'gate_in_full', local: '2026-03-08T10:00', location: shanghai },
  { code: 'loaded', local: '2026-03-10T11:00', location: shanghai, vehicle },
  { code: 'departed', local: '2026-03-10T20:00', location: shanghai, vehicle },
  { code: 'arrived', local: '2026-04-15T08:00', location: rotterdam, vehicle, classifier: 'planned' },
  { code: 'arrived', local: '2026-04-17T08:00', location: rotterdam, vehicle, classifier: 'estimated' },
];
