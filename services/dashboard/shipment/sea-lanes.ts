import type { LngLat } from './route-line.ts';

/** Waypoints of the great shipping routes: capes, straits, canals, and the open sea between. Longitude, latitude. */
const waypoints = {
  skagen: [10.8, 58],
  jutland: [7.3, 57.3],
  kattegat: [11.6, 56.9],
  sound: [12.65, 55.9],
  arkona: [13, 55.1],
  baltic: [19.5, 57.5],
  finland: [24, 59.6],
  germanBight: [7.6, 54.3],
  northSea: [3.2, 53.6],
  scotland: [-4, 59.2],
  dover: [1.4, 51],
  beachy: [0, 50.4],
  channel: [-5.3, 49.2],
  irishSea: [-6, 51.4],
  finisterre: [-10, 43.4],
  lisbon: [-9.9, 38.5],
  gibraltar: [-5.6, 35.95],
  alboran: [-1.5, 36.5],
  balearic: [4.5, 38.3],
  lions: [5.3, 42.5],
  liguria: [8.8, 43.6],
  sicilyWest: [11, 37.6],
  tyrrhenian: [12.3, 40.3],
  malta: [15.5, 35.8],
  ionian: [18.8, 37.2],
  otranto: [18.9, 40.2],
  adriatic: [14.5, 43.6],
  crete: [23.5, 34.6],
  kythira: [22.9, 35.9],
  kasos: [27, 35],
  aegean: [25, 37.6],
  dardanelles: [25.8, 40],
  bosporus: [29.1, 41.2],
  blackSea: [32, 43.5],
  portSaid: [32.3, 31.5],
  levant: [34.3, 33.5],
  suez: [32.6, 29.8],
  gubal: [34, 27.6],
  redNorth: [35.2, 26.5],
  jeddah: [38.4, 21],
  redSouth: [41.2, 15.8],
  babElMandeb: [43.4, 12.5],
  aden: [48, 12.6],
  socotra: [55, 13.5],
  masirah: [59.9, 20.2],
  hadd: [60.4, 22.6],
  fujairah: [57.2, 25.2],
  hormuz: [56.6, 26.6],
  sirri: [55, 25.9],
  gulf: [52.2, 26.4],
  arabianSea: [67, 18],
  mumbai: [72, 18.6],
  comorin: [76.8, 7.2],
  dondra: [80.6, 5.3],
  batticaloa: [82.6, 7.5],
  bengal: [84, 14],
  bengalNorth: [90.5, 20.5],
  andaman: [94.6, 6.5],
  klang: [100.9, 2.7],
  malacca: [98.6, 5.2],
  singapore: [103.6, 1.1],
  sunda: [105.2, -6.2],
  java: [110, -5.5],
  vietnam: [109.5, 9],
  caMau: [104.3, 8],
  siam: [101.8, 9.5],
  southChina: [113.8, 17.5],
  hongKong: [114.4, 21.9],
  luzon: [120.6, 20.4],
  taiwanStrait: [119.4, 24.3],
  eastChina: [123, 29.5],
  shandong: [123.2, 36.8],
  bohai: [120.5, 38.6],
  korea: [126, 33.6],
  tsushima: [129.6, 34.5],
  japanSea: [134, 39.5],
  tsugaru: [140.2, 41.3],
  erimo: [144, 41.5],
  osumi: [131, 30.6],
  tokyo: [140.4, 34.6],
  kuril: [150, 44.5],
  pacificWest: [165, 48.5],
  pacificNorth: [-175, 50.5],
  alaska: [-150, 50.5],
  juan: [-125.4, 48.5],
  mendocino: [-125.2, 40.4],
  sanFrancisco: [-123, 37.6],
  channelIslands: [-120.8, 33.9],
  baja: [-115.6, 27.5],
  mexico: [-105.5, 18.6],
  tehuantepec: [-95, 13.5],
  nicoya: [-87, 8.5],
  azuero: [-81, 6.6],
  balboa: [-79.5, 8.2],
  colon: [-79.9, 9.6],
  blanca: [-82, -4.5],
  callao: [-78.5, -12.2],
  arica: [-75.5, -18],
  chile: [-73.5, -33],
  horn: [-67, -57],
  hawaii: [-158, 22.5],
  philippines: [126.5, 13],
  guam: [144, 13.2],
  torres: [146, -8.5],
  coralSea: [155, -18],
  brisbane: [154.5, -28],
  sydney: [152.6, -34],
  bassStrait: [147.5, -39.6],
  adelaide: [136, -37],
  leeuwin: [114.5, -34.8],
  fremantle: [115, -31.5],
  auckland: [175.8, -35.6],
  wellington: [175.5, -42],
  southPacific: [-140, -42],
  windward: [-74, 20],
  mona: [-67.8, 18.4],
  yucatan: [-85.7, 21.8],
  gulfOfMexico: [-90, 26.5],
  keys: [-81.5, 24],
  florida: [-79.7, 25.8],
  hatteras: [-74.8, 35],
  newYork: [-73.4, 40.2],
  halifax: [-63, 43.6],
  cabot: [-59.8, 47.3],
  stLawrence: [-64.5, 49.4],
  grandBanks: [-49, 42.2],
  atlanticNorth: [-30, 46],
  azores: [-28, 38],
  canaries: [-15.6, 29],
  dakar: [-18.2, 14.6],
  atlanticEquator: [-25, 3],
  guinea: [2, 3.6],
  recife: [-34, -8],
  abrolhos: [-37.5, -17.5],
  caboFrio: [-40.5, -23.6],
  santos: [-44.5, -24.8],
  plata: [-53.5, -35.8],
  goodHope: [18, -35],
  agulhas: [22, -35.6],
  durban: [31.8, -30.3],
  mozambique: [41, -17],
  mombasa: [42, -4],
  mauritius: [58, -21.5],
  indianOcean: [80, -10],
} satisfies Record<string, LngLat>;

type Waypoint = keyof typeof waypoints;

/** Which waypoints lie in sight of each other over water; a dash joins those of one chain. */
const chains: readonly string[] = [
  'finland-baltic-arkona-sound-kattegat-skagen-jutland-northSea-dover-beachy-channel-finisterre-lisbon-gibraltar-alboran-balearic-sicilyWest-malta-crete-portSaid-suez-gubal-redNorth-jeddah-redSouth-babElMandeb-aden-socotra-comorin-dondra-andaman-malacca-klang-singapore-vietnam-southChina-hongKong-taiwanStrait-eastChina-korea-tsushima-japanSea-tsugaru-erimo-kuril',
  'jutland-germanBight-northSea-scotland-atlanticNorth',
  'germanBight-dover',
  'irishSea-channel-atlanticNorth-grandBanks-halifax-newYork-hatteras-florida-keys-gulfOfMexico',
  'irishSea-scotland',
  'irishSea-atlanticNorth',
  'balearic-lions-liguria-tyrrhenian-sicilyWest',
  'alboran-lions',
  'balearic-liguria',
  'malta-ionian-otranto-adriatic',
  'ionian-kythira-aegean-dardanelles-bosporus-blackSea',
  'aegean-kasos-portSaid',
  'ionian-portSaid',
  'portSaid-levant-crete',
  'aden-masirah-hadd-fujairah-hormuz-sirri-gulf',
  'socotra-masirah-arabianSea-mumbai-comorin',
  'fujairah-arabianSea-socotra-hadd',
  'fujairah-mumbai',
  'dondra-batticaloa-bengal-bengalNorth-andaman',
  'bengal-andaman',
  'siam-caMau-vietnam-southChina-luzon-osumi-tokyo-kuril-pacificWest-pacificNorth-alaska-juan-mendocino-sanFrancisco-channelIslands-baja-mexico-tehuantepec-nicoya-azuero-balboa-colon-windward-hatteras',
  'caMau-singapore',
  'hongKong-luzon-philippines-guam-hawaii-channelIslands',
  'luzon-eastChina-shandong-bohai',
  'korea-shandong',
  'korea-osumi-eastChina',
  'tsushima-osumi',
  'erimo-pacificWest',
  'tokyo-pacificWest-alaska-mendocino-channelIslands',
  'tokyo-hawaii-azuero',
  'alaska-sanFrancisco',
  'azuero-blanca-callao-arica-chile-horn-plata-santos-caboFrio-abrolhos-recife-mona-colon',
  'mona-newYork',
  'windward-florida',
  'colon-yucatan-gulfOfMexico',
  'yucatan-keys',
  'mona-atlanticNorth',
  'mona-azores-lisbon',
  'azores-gibraltar',
  'grandBanks-gibraltar',
  'newYork-grandBanks-cabot-stLawrence',
  'halifax-cabot',
  'cabot-atlanticNorth',
  'hatteras-grandBanks',
  'newYork-azores',
  'gibraltar-canaries-dakar-guinea-goodHope-agulhas-durban-mozambique-mombasa-babElMandeb',
  'lisbon-canaries',
  'finisterre-canaries',
  'dakar-atlanticEquator-recife',
  'canaries-atlanticEquator',
  'atlanticEquator-goodHope-caboFrio',
  'goodHope-plata',
  'mombasa-socotra',
  'durban-mauritius-indianOcean-sunda-java-singapore',
  'mauritius-dondra',
  'mombasa-comorin',
  'agulhas-leeuwin-fremantle-sunda',
  'leeuwin-adelaide-bassStrait-sydney-brisbane-coralSea-torres-philippines',
  'dondra-fremantle',
  'coralSea-guam-osumi',
  'sydney-auckland-wellington-bassStrait',
  'auckland-coralSea',
  'brisbane-auckland-southPacific-chile',
  'wellington-southPacific-horn',
  'auckland-hawaii',
  'auckland-azuero',
  'guam-eastChina',
];

/** Ports beside each other are sailed straight. */
const straightKm = 700;
/** How many waypoints a port can reach by itself. */
const mostDoors = 3;
const doorKm = 3200;

/** The way of a ship from one point to another, as far as a picture of the globe needs it: by way of straits and capes, not over land. */
export function seaLane(from: LngLat, to: LngLat): LngLat[] {
  if (kmBetween(from, to) <= straightKm) return [from, to];
  const ends = doorsOf(to);
  const best = new Map<Waypoint, { km: number; way: Waypoint[] }>();
  const open: { at: Waypoint; km: number; way: Waypoint[] }[] = doorsOf(from).map(({ at, km }) => ({ at, km, way: [at] }));
  while (open.length > 0) {
    open.sort((left, right) => right.km - left.km);
    const nearest = open.pop();
    if (nearest === undefined || best.has(nearest.at)) continue;
    best.set(nearest.at, nearest);
    for (const next of neighbours.get(nearest.at) ?? []) {
      if (!best.has(next))
        open.push({ at: next, km: nearest.km + kmBetween(waypoints[nearest.at], waypoints[next]), way: [...nearest.way, next] });
    }
  }
  let shortest: { km: number; way: Waypoint[] } | null = null;
  for (const { at, km } of ends) {
    const found = best.get(at);
    if (found !== undefined && (shortest === null || found.km + km < shortest.km)) shortest = { km: found.km + km, way: found.way };
  }
  return shortest === null ? [from, to] : [from, ...shortest.way.map((at) => waypoints[at] as LngLat), to];
}

const neighbours = readChains();

function readChains(): Map<Waypoint, Set<Waypoint>> {
  const read = new Map<Waypoint, Set<Waypoint>>();
  for (const chain of chains) {
    const names = chain.split('-') as Waypoint[];
    for (const [index, name] of names.entries()) {
      for (const other of [names[index - 1], names[index + 1]]) {
        if (other !== undefined) read.set(name, (read.get(name) ?? new Set()).add(other));
      }
    }
  }
  return read;
}

/** The nearest waypoints; farther ones only where they are not much farther, since land lies between more often. */
function doorsOf(point: LngLat): { at: Waypoint; km: number }[] {
  const near = (Object.keys(waypoints) as Waypoint[])
    .map((at) => ({ at, km: kmBetween(point, waypoints[at]) }))
    .sort((left, right) => left.km - right.km);
  const first = near[0]?.km ?? 0;
  return near.slice(0, mostDoors).filter(({ km }) => km <= doorKm && km <= Math.max(first * 1.8, first + 120));
}

function kmBetween([lng, lat]: LngLat, [otherLng, otherLat]: LngLat): number {
  const toRadians = Math.PI / 180;
  const a =
    Math.sin(((otherLat - lat) * toRadians) / 2) ** 2 +
    Math.cos(lat * toRadians) * Math.cos(otherLat * toRadians) * Math.sin(((otherLng - lng) * toRadians) / 2) ** 2;
  return 12_742 * Math.asin(Math.min(1, Math.sqrt(a)));
}
