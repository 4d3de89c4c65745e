/** An airport of the simulator's flights. */
export type Station = { iata: string; name: string; country: string; zone: string };

/** An airline and the prefix of its air waybills. Transfers happen at its hub. */
export type Airline = { prefix: string; code: string; hub: Station };

const frankfurt = station('FRA', 'Frankfurt am Main', 'DE', 'Europe/Berlin');
const paris = station('CDG', 'Paris Charles de Gaulle', 'FR', 'Europe/Paris');
const dubai = station('DXB', 'Dubai', 'AE', 'Asia/Dubai');
const doha = station('DOH', 'Doha', 'QA', 'Asia/Qatar');
const hongKong = station('HKG', 'Hong Kong', 'HK', 'Asia/Hong_Kong');
const singapore = station('SIN', 'Singapore', 'SG', 'Asia/Singapore');

/** Airports where shipments start and end. */
export const stations: readonly [Station, ...Station[]] = [
  station('JFK', 'New York John F. Kennedy', 'US', 'America/New_York'),
  station('ORD', "Chicago O'Hare", 'US', 'America/Chicago'),
  station('LAX', 'Los Angeles', 'US', 'America/Los_Angeles'),
  station('PVG', 'Shanghai Pudong', 'CN', 'Asia/Shanghai'),
  station('NRT', 'Tokyo Narita', 'JP', 'Asia/Tokyo'),
  station('BOM', 'Mumbai', 'IN', 'Asia/Kolkata'),
  station('GRU', 'São Paulo Guarulhos', 'BR', 'America/Sao_Paulo'),
  station('JNB', 'Johannesburg', 'ZA', 'Africa/Johannesburg'),
  station('SYD', 'Sydney', 'AU', 'Australia/Sydney'),
  station('LHR', 'London Heathrow', 'GB', 'Europe/London'),
];

const airlines: readonly Airline[] = [
  { prefix: '020', code: 'LH', hub: frankfurt },
  { prefix: '057', code: 'AF', hub: paris },
  { prefix: '157', code: 'QR', hub: doha },
  { prefix: '160', code: 'CX', hub: hongKong },
  { prefix: '176', code: 'EK', hub: dubai },
  { prefix: '618', code: 'SQ', hub: singapore },
];
/** The airline of every other prefix. No real airline has this code. */
const anyAirline: Omit<Airline, 'prefix'> = { code: 'X1', hub: frankfurt };

/** The airline of an air waybill prefix. */
export function airlineOf(prefix: string): Airline {
  return airlines.find((airline) => airline.prefix === prefix) ?? { prefix, ...anyAirline };
}

/** Every station by its IATA code. */
export const stationByCode: ReadonlyMap<string, Station> = new Map(
  [...stations, ...airlines.map((airline) => airline.hub)].map((each) => [each.iata, each]),
);

function station(iata: string, name: string, country: string, zone: string): Station {
  return { iata, name, country, zone };
}
