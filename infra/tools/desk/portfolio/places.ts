import type { Place } from '#shared/domain/events/event.ts';

const names = {
  CNSHA: 'Shanghai',
  CNNGB: 'Ningbo',
  CNYTN: 'Yantian',
  VNSGN: 'Ho Chi Minh City',
  SGSIN: 'Singapore',
  INNSA: 'Nhava Sheva',
  NLRTM: 'Rotterdam',
  DEHAM: 'Hamburg',
  BEANR: 'Antwerp',
  USLAX: 'Los Angeles',
  USNYC: 'New York',
  USCHI: 'Chicago',
  USMEM: 'Memphis, TN',
  USSEA: 'Seattle, WA',
  USDAL: 'Dallas, TX',
  USATL: 'Atlanta, GA',
} as const;
const airports = {
  HKG: ['Hong Kong', 'HK'],
  PVG: ['Shanghai Pudong', 'CN'],
  FRA: ['Frankfurt', 'DE'],
  ORD: ['Chicago O Hare', 'US'],
} as const;

export type PlaceCode = keyof typeof names | keyof typeof airports;

export function placeOf(code: PlaceCode): Place {
  const nowhere = { unlocode: null, iata: null, lat: null, lng: null, timezone: 'UTC', facility: null };
  if (code in airports) {
    const [name, country] = airports[code as keyof typeof airports];
    return { ...nowhere, name, iata: code, country };
  }
  return { ...nowhere, name: names[code as keyof typeof names], unlocode: code, country: code.slice(0, 2) };
}

/** As the tools print it: `Rotterdam (NLRTM)`. */
export function shownPlace(code: PlaceCode): string {
  return `${placeOf(code).name} (${code})`;
}
