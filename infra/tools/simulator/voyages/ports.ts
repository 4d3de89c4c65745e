import type { GeoPoint } from './point-between.ts';

/** A container port with one of its terminals; `facility` is the terminal's SMDG code. */
export type Port = {
  unlocode: string;
  name: string;
  country: string;
  terminal: string;
  facility: string;
  latitude: number;
  longitude: number;
  zone: string;
};

/** UN/LOCODE, name, country, terminal, SMDG code, latitude, longitude, IANA zone. */
const rows: [string, string, string, string, string, number, number, string][] = [
  ['CNSHA', 'Shanghai', 'China', 'Yangshan Phase III', 'SGICT', 30.6153, 122.0676, 'Asia/Shanghai'],
  ['CNNGB', 'Ningbo', 'China', 'Beilun Phase III', 'NBCT', 29.9372, 121.8856, 'Asia/Shanghai'],
  ['CNTAO', 'Qingdao', 'China', 'Qianwan Container Terminal', 'QQCTU', 36.0089, 120.2139, 'Asia/Shanghai'],
  ['CNXMN', 'Xiamen', 'China', 'Songyu Container Terminal', 'XSCT', 24.4561, 118.0347, 'Asia/Shanghai'],
  ['CNSHK', 'Shekou', 'China', 'Shekou Container Terminal', 'SCT', 22.4683, 113.8797, 'Asia/Shanghai'],
  ['TWKHH', 'Kaohsiung', 'Taiwan', 'Terminal W68-69', 'CMAKT', 22.5681, 120.2953, 'Asia/Taipei'],
  ['KRPUS', 'Busan', 'South Korea', 'Busan New Container Terminal', 'BNCT', 35.0769, 128.8203, 'Asia/Seoul'],
  ['JPYOK', 'Yokohama', 'Japan', 'Minami Honmoku', 'APMYOK', 35.4017, 139.6814, 'Asia/Tokyo'],
  ['SGSIN', 'Singapore', 'Singapore', 'Pasir Panjang Terminal', 'PSABT', 1.2656, 103.7781, 'Asia/Singapore'],
  ['MYTPP', 'Tanjung Pelepas', 'Malaysia', 'Port of Tanjung Pelepas', 'PTP', 1.3622, 103.5489, 'Asia/Kuala_Lumpur'],
  ['MYPKG', 'Port Klang', 'Malaysia', 'Westports', 'KMT', 2.9811, 101.3367, 'Asia/Kuala_Lumpur'],
  ['VNVUT', 'Cai Mep', 'Viet Nam', 'Cai Mep International Terminal', 'CMIT', 10.5347, 107.0289, 'Asia/Saigon'],
  ['THLCH', 'Laem Chabang', 'Thailand', 'Terminal A3', 'HLTA3', 13.0761, 100.8828, 'Asia/Bangkok'],
  [
    'LKCMB',
    'Colombo',
    'Sri Lanka',
    'Colombo International Container Terminals',
    'CICT',
    6.9486,
    79.8414,
    'Asia/Colombo',
  ],
  ['INNSA', 'Nhava Sheva', 'India', 'Gateway Terminals India', 'GTICI', 18.9497, 72.9505, 'Asia/Kolkata'],
  ['AEJEA', 'Jebel Ali', 'United Arab Emirates', 'Container Terminal 2', 'DPWJ2', 25.0089, 55.0611, 'Asia/Dubai'],
  ['OMSLL', 'Salalah', 'Oman', 'Salalah Container Terminal', 'APMT', 16.9403, 54.0064, 'Asia/Muscat'],
  ['SAJED', 'Jeddah', 'Saudi Arabia', 'Red Sea Gateway Terminal', 'RSGT', 21.4797, 39.1689, 'Asia/Riyadh'],
  ['EGPSD', 'Port Said', 'Egypt', 'Suez Canal Container Terminal', 'SCCT', 31.2153, 32.3464, 'Africa/Cairo'],
  ['MAPTM', 'Tanger Med', 'Morocco', 'Eurogate Tangier', 'EURTN', 35.8897, -5.4953, 'Africa/Casablanca'],
  ['ESALG', 'Algeciras', 'Spain', 'Total Terminal International', 'TTI', 36.1489, -5.4311, 'Europe/Madrid'],
  ['ESVLC', 'Valencia', 'Spain', 'CSP Spain Valencia Terminal', 'NOATV', 39.4431, -0.3228, 'Europe/Madrid'],
  ['ITGOA', 'Genova', 'Italy', 'SECH Terminal', 'SECH', 44.4042, 8.9142, 'Europe/Rome'],
  ['GRPIR', 'Piraeus', 'Greece', 'Piraeus Container Terminal', 'GRPCT', 37.9536, 23.5808, 'Europe/Athens'],
  ['FRLEH', 'Le Havre', 'France', 'Terminal de France', 'TDF', 49.4647, 0.1494, 'Europe/Paris'],
  ['NLRTM', 'Rotterdam', 'Netherlands', 'Maasvlakte II', 'NLMVII', 51.9603, 3.9936, 'Europe/Amsterdam'],
  ['BEANR', 'Antwerpen', 'Belgium', 'Antwerp Gateway', '1700', 51.2836, 4.2322, 'Europe/Brussels'],
  ['DEHAM', 'Hamburg', 'Germany', 'Container Terminal Altenwerder', 'CTA', 53.5031, 9.9336, 'Europe/Berlin'],
  ['DEBRV', 'Bremerhaven', 'Germany', 'Eurogate Bremerhaven', 'EGB', 53.5897, 8.5347, 'Europe/Berlin'],
  ['GBFXT', 'Felixstowe', 'United Kingdom', 'Trinity Terminal', 'TTY', 51.9539, 1.3169, 'Europe/London'],
  ['GBSOU', 'Southampton', 'United Kingdom', 'DP World Southampton', 'DPWS', 50.9092, -1.4567, 'Europe/London'],
  ['PLGDN', 'Gdańsk', 'Poland', 'Deepwater Container Terminal', 'DCT', 54.3822, 18.7094, 'Europe/Warsaw'],
  ['SEGOT', 'Göteborg', 'Sweden', 'APM Terminals Gothenburg', 'CT1', 57.6878, 11.8606, 'Europe/Stockholm'],
  ['DKAAR', 'Århus', 'Denmark', 'APM Terminals Aarhus', 'APMT', 56.1519, 10.2486, 'Europe/Copenhagen'],
  ['USNYC', 'New York', 'United States', 'APM Terminals Elizabeth', 'APMT', 40.6697, -74.1464, 'America/New_York'],
  [
    'USORF',
    'Norfolk',
    'United States',
    'Norfolk International Terminals',
    'NIT',
    36.9242,
    -76.3306,
    'America/New_York',
  ],
  ['USSAV', 'Savannah', 'United States', 'Garden City Marine Terminal', 'GCMT', 32.1281, -81.1411, 'America/New_York'],
  ['USHOU', 'Houston', 'United States', 'Bayport Terminal', 'BPTM', 29.6122, -94.9881, 'America/Chicago'],
  ['USLAX', 'Los Angeles', 'United States', 'Pier 400', 'APMT', 33.7361, -118.2536, 'America/Los_Angeles'],
  [
    'USLGB',
    'Long Beach',
    'United States',
    'Long Beach Container Terminal',
    'LBCT',
    33.7628,
    -118.2097,
    'America/Los_Angeles',
  ],
  ['CAVAN', 'Vancouver', 'Canada', 'GCT Deltaport', 'DLT', 49.0142, -123.1603, 'America/Vancouver'],
  ['MXZLO', 'Manzanillo', 'Mexico', 'Contecon Manzanillo', 'CMSA', 19.0753, -104.2961, 'America/Mexico_City'],
  ['PABLB', 'Balboa', 'Panama', 'PPC Balboa', 'PPCBL', 8.9614, -79.5631, 'America/Panama'],
  ['BRSSZ', 'Santos', 'Brazil', 'Brasil Terminal Portuario', 'BTP', -23.9267, -46.3431, 'America/Sao_Paulo'],
  ['PECLL', 'Callao', 'Peru', 'DP World Callao', 'DPCLL', -12.0564, -77.1472, 'America/Lima'],
  ['ZADUR', 'Durban', 'South Africa', 'Durban Pier 1', 'TNP1', -29.8797, 31.0358, 'Africa/Johannesburg'],
  ['AUSYD', 'Sydney', 'Australia', 'Port Botany', 'CTLPB', -33.9714, 151.2181, 'Australia/Sydney'],
  ['NZTRG', 'Tauranga', 'New Zealand', 'Sulphur Point', 'TRGCT', -37.6681, 176.1769, 'Pacific/Auckland'],
];

const ports = new Map<string, Port>(
  rows.map(([unlocode, name, country, terminal, facility, latitude, longitude, zone]) => [
    unlocode,
    { unlocode, name, country, terminal, facility, latitude, longitude, zone },
  ]),
);

/** Every port that voyages call at. */
export const allPorts: readonly Port[] = [...ports.values()];

/** The port with this UN/LOCODE. Throws for an unknown one. */
export function portOf(unlocode: string): Port {
  const port = ports.get(unlocode);
  if (!port) throw new Error(`${unlocode} is not a port of the simulator`);
  return port;
}

/** Great-circle distance in kilometres. */
export function distanceKm(from: GeoPoint, to: GeoPoint): number {
  const radians = Math.PI / 180;
  const latitudes = Math.sin(((to.latitude - from.latitude) * radians) / 2) ** 2;
  const longitudes = Math.sin(((to.longitude - from.longitude) * radians) / 2) ** 2;
  const chord = latitudes + Math.cos(from.latitude * radians) * Math.cos(to.latitude * radians) * longitudes;
  return 2 * 6371 * Math.asin(Math.sqrt(chord));
}
