import type { Place } from '#shared/domain/events/event.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { TestSite } from '#shared/domain/test-journeys/test-timelines.ts';

type Sites = Record<TestSite, Place>;

/** The places of each mode's test journeys. Names and coordinates are from the UN/LOCODE list. */
export const testPlaces: Readonly<Record<TransportMode, Sites>> = {
  ocean: {
    start: place('CNSHA', 'Shanghai', { lat: 31.23, lng: 121.48, timezone: 'Asia/Shanghai' }),
    middle: place('SGSIN', 'Singapore', { lat: 1.26, lng: 103.84, timezone: 'Asia/Singapore' }),
    end: place('NLRTM', 'Rotterdam', { lat: 51.92, lng: 4.48, timezone: 'Europe/Amsterdam' }),
  },
  air: {
    start: {
      ...place('DEFRA', 'Frankfurt am Main', { lat: 50.03, lng: 8.57, timezone: 'Europe/Berlin' }),
      iata: 'FRA',
    },
    middle: { ...place('AEDXB', 'Dubai', { lat: 25.25, lng: 55.36, timezone: 'Asia/Dubai' }), iata: 'DXB' },
    end: { ...place('SGSIN', 'Singapore', { lat: 1.36, lng: 103.99, timezone: 'Asia/Singapore' }), iata: 'SIN' },
  },
  rail: {
    start: place('USLAX', 'Los Angeles', { lat: 34.05, lng: -118.24, timezone: 'America/Los_Angeles' }),
    middle: place('USMKC', 'Kansas City', { lat: 39.1, lng: -94.58, timezone: 'America/Chicago' }),
    end: place('USCHI', 'Chicago', { lat: 41.88, lng: -87.63, timezone: 'America/Chicago' }),
  },
  road: {
    start: place('USDAL', 'Dallas', { lat: 32.78, lng: -96.8, timezone: 'America/Chicago' }),
    middle: place('USMEM', 'Memphis', { lat: 35.15, lng: -90.05, timezone: 'America/Chicago' }),
    end: place('USATL', 'Atlanta', { lat: 33.75, lng: -84.39, timezone: 'America/New_York' }),
  },
  parcel: {
    start: place('DECGN', 'Köln', { lat: 50.94, lng: 6.96, timezone: 'Europe/Berlin' }),
    middle: place('DEHAJ', 'Hannover', { lat: 52.37, lng: 9.73, timezone: 'Europe/Berlin' }),
    end: place('DEHAM', 'Hamburg', { lat: 53.55, lng: 9.99, timezone: 'Europe/Berlin' }),
  },
};

function place(unlocode: string, name: string, at: { lat: number; lng: number; timezone: string }): Place {
  return { unlocode, name, iata: null, country: unlocode.slice(0, 2), facility: null, ...at };
}
