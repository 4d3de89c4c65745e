import type { Place } from '#shared/domain/events/event.ts';
import { foldName } from '#shared/domain/fold-text.ts';
import { isOnlyNamed } from '#shared/domain/lists/map-places.ts';
import { findAirport, findAirportByUnlocode } from './airports.ts';
import { checkedPorts } from './checked-ports.ts';
import { listedPorts } from './listed-ports.ts';
import { codesNamed } from './named-places.ts';
import { nameGroups } from './place-names.ts';
import { countriesOfState } from './states.ts';

/** In degrees. */
export type Point = { lat: number; lng: number };

const earthRadiusKm = 6371;
const radiansPerDegree = Math.PI / 180;
/** Countries whose city names repeat between their states. */
const countriesOfStates = ['US', 'CA', 'AU', 'BR', 'MX'];
/** Places of one name within this distance are one city: its port, its airport. */
const maxCityKm = 75;

/**
 * The states of the airports and the checked ports of these countries: country, state, and the last three letters of
 * their UN/LOCODEs. Those of the United States are computed from the boundaries of the Census Bureau (npm us-atlas
 * 3.0.1); a terminal or an airport across the boundary has the state of its city. The others agree with the cities around
 * them in npm country-state-city 3.2.1. A place that is missing is not found.
 */
const rows = `
  US AK ANC DUT FAI, US AL BHM HSV MOB, US AR LIT, US AZ PHX TUS,
  US CA FAT LAX LGB NTD OAK ONT RIV SAN SBD SDM SFO SJC SMF SNA, US CO COS DEN, US CT BDL, US DE ILG,
  US FL FLL JAX MCO MIA PCV PEF TPA, US GA ATL SAV, US HI HNL ITO KOA OGG, US IA CBF DSM, US ID BOI,
  US IL CHI JOT MDW ORD RFD, US IN FWA IND, US KY SDF, US LA MSY, US MA BOS, US MD BAL BWI, US MI DET DTW, US MN MSP,
  US MO MCI STL, US MS GPT, US MT BIL, US NC CLT GBO GSO ILM RDU, US NE OMA, US NH MHT, US NJ EWR, US NM ABQ SXT,
  US NV LAS RNO, US NY ALB BUF JFK LGA NYC ROC SYR, US OH CLE CMH CVG ILN LCK TOL, US OK OKC TUL, US OR PDX,
  US PA ABE PHL PIT,
  US RI PVD, US SC CAE CHS GSP, US TN BNA MEM TYS, US TX AFW AUS CRP DAL DFW ELP GLS HOU IAH LRD MFE SAT, US UT SLC,
  US VA IAD ORF RIC, US WA BFI GEG SEA TIW, US WI ATW CPF MKE, CA AB YEG YMM YYC, CA BC PRR VAN YVR, CA MB YWG,
  CA NB SJB, CA NL SJF YYT, CA NS HAL YHZ, CA ON TOR YHM YOW YYZ, CA QC MTR YMX YQB YUL, AU ACT CBR, AU NSW PKL SYD,
  AU NT DRW, AU QLD BNE CNS OOL TSV WTB, AU SA ADL, AU TAS BEL HBA, AU VIC AVV MEL, AU WA FRE PER, BR AM MAO,
  BR BA SSA, BR CE FOR PEC, BR DF BSB, BR ES VIX, BR MG CNF, BR PA BEL VLC, BR PE REC SUA, BR PR CWB PNG,
  BR RJ GIG IGI RIO SPB, BR RS POA RIG, BR SC IBB IOA ITJ NVT SFS, BR SP GRU SSZ VCP`;

const states = new Map(
  rows.split(',').flatMap((row) => {
    const [country = '', state = '', ...codes] = row.trim().split(/\s+/);
    return codes.map((code) => [`${country}${code}`, state] as const);
  }),
);

/**
 * Locates a place of which only the name is known, for maps, accurate to about 50 km if it is the city of this name. A
 * small town of the same name is elsewhere, so maps mark the point as approximate, and records never have it. Null: the
 * place has coordinates or a code, or `findCity` finds none.
 */
export function approximatePoint(place: Omit<Place, 'timezone' | 'facility'>): Point | null {
  if (!isOnlyNamed(place)) return null;
  const { name, country } = place;
  // Carriers' places are `Portland, OR` where city names repeat between states.
  const [, city = name, state = null] = /^(.+), ([A-Za-z]{2,3})$/.exec(name) ?? [];
  return findCity({ city, state, country });
}

type Address = { city: string | null; state: string | null; country: string | null };

/**
 * Locates a city, accurate to about 50 km: its port, inland terminal or airport. Null: it is not in the lists, the
 * country or a state that distinguishes cities is unknown, or the name means several places.
 */
export function findCity({ city, state, country }: Address): Point | null {
  // Codes begin with it: a part of a country code would match several countries.
  if (city === null || country?.length !== 2) return null;
  const name = foldName(city);
  const hasStates = countriesOfStates.includes(country);
  const inPlace = (code: string): boolean => {
    const unlocode = findAirport(code)?.unlocode ?? code;
    return unlocode.startsWith(country) && (!hasStates || states.get(unlocode) === state?.toUpperCase());
  };
  const own = codesNamed(name).filter(inPlace);
  const others = nameGroups(name).flatMap(({ codes }) => codes.filter(inPlace));
  const found = [...own, ...others].map(mainPointOf).find((point) => point !== null) ?? null;
  if (found === null) return null;
  const isOne = own.map(pointOf).every((point) => point === null || kmBetween(point, found) <= maxCityKm);
  return isOne ? { lat: found.lat, lng: found.lng } : null;
}

/**
 * The only country of the United States, Canada and Australia with a state of this code in which the city is known.
 * Null: none, because the code may be a province of another country (Milano, MI), or several.
 */
export function countryOfCity(city: string | null, state: string | null): string | null {
  if (state === null) return null;
  const [only, ...others] = countriesOfState(state).filter((country) => findCity({ city, state, country }) !== null);
  return only === undefined || others.length > 0 ? null : only;
}

/** Of the small ports, only some are listed: a town of the same name may be missing. */
function mainPointOf(code: string): Point | null {
  return checkedPorts.get(code) ?? findAirport(code) ?? findAirportByUnlocode(code);
}

function pointOf(code: string): Point | null {
  const { lat = null, lng = null } = mainPointOf(code) ?? listedPorts().get(code) ?? {};
  return lat === null || lng === null ? null : { lat, lng };
}

/** The distance along the great circle. */
export function kmBetween(left: Point, right: Point): number {
  const [from, to] = [left.lat * radiansPerDegree, right.lat * radiansPerDegree];
  const east = (right.lng - left.lng) * radiansPerDegree;
  const half = Math.sin((to - from) / 2) ** 2 + Math.cos(from) * Math.cos(to) * Math.sin(east / 2) ** 2;
  return 2 * earthRadiusKm * Math.asin(Math.min(1, Math.sqrt(half)));
}
