import type { CarrierTime, Place } from '../events/event.ts';
import { countryOf } from '../events/event-place.ts';
import { isDay, localDay } from '../events/local-day.ts';
import { foldName } from '../fold-text.ts';
import { type IdentifierKey, identifierKeys, type Shipment } from '../record/shipment.ts';
import { lookupKeys, matchValue, matchValues } from '../registration/identifiers.ts';
import { soughtVessel, vesselKey } from '../words/vessel-key.ts';
import type { Searchable } from './search-text.ts';
import type { PlaceSearch, SoughtText, TextSearch } from './text-search.ts';

/** The part of a shipment that filters read. */
export type FilteredShipment = Searchable &
  Pick<
    Shipment,
    | 'transportMode'
    | 'tags'
    | 'metadata'
    | 'createdAt'
    | 'updatedAt'
    | 'archivedAt'
    | 'overdueHours'
    | 'late'
    | 'needsAttention'
    | 'assignee'
  > & {
    tracking: Pick<Shipment['tracking'], 'state' | 'reason' | 'freshness'> &
      Partial<Pick<Shipment['tracking'], 'mode'>>;
    journey: Pick<
      Shipment['journey'],
      | 'status'
      | 'departure'
      | 'arrival'
      | 'delivery'
      | 'eta'
      | 'delayHours'
      | 'hasException'
      | 'exceptions'
      | 'containerStatusCounts'
      | 'freeTime'
    > & { latestEvent: object | null };
  };

/** Returns whether the list with this filter contains the shipment. */
export type FilterMatch = (shipment: FilteredShipment) => boolean;

export function isAmong<T>(wanted: readonly T[], value: T | null): boolean {
  return value !== null && wanted.includes(value);
}

export function isAtLeast(min: number, hours: number | null): boolean {
  return hours !== null && hours >= min;
}

/** A bound that is a date compares the local day, and an instant the instant. */
export function happensWithin(time: CarrierTime | null, from: string | undefined, to: string | undefined): boolean {
  if (time === null) return false;
  const isAfter = from === undefined || (isDay(from) ? localDay(time) >= from : isWithin(time.at, from, undefined));
  const isBefore = to === undefined || (isDay(to) ? localDay(time) <= to : isWithin(time.at, undefined, to));
  return isAfter && isBefore;
}

export function isDayWithin(day: string | null, from: string | undefined, to: string | undefined): boolean {
  return day !== null && (from === undefined || day >= from) && (to === undefined || day <= to);
}

export function isWithin(at: string | null, from: string | undefined, to: string | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  if (at === null) return false;
  const atMs = Date.parse(at);
  return (from === undefined || atMs >= Date.parse(from)) && (to === undefined || atMs <= Date.parse(to));
}

/** The key of `sought` is null for any identifier. */
export function hasIdentifier(shipment: FilteredShipment, sought: { key: IdentifierKey | null; values: string[] }) {
  const { key } = sought;
  const stored = storedIdentifiers(shipment);
  const keys = key === null ? lookupKeys('auto') : [key];
  return sought.values.some((value) =>
    matchValues(key, value, null).candidates.some(
      (candidate) =>
        (candidate.carrier === null || candidate.carrier === shipment.carrier) &&
        stored.some(
          (entry) =>
            entry.value === candidate.value &&
            keys.includes(entry.key) &&
            (candidate.keys === null || candidate.keys.includes(entry.key)),
        ),
    ),
  );
}

function storedIdentifiers({ identifiers, carrier, journey }: FilteredShipment) {
  return [
    ...identifierKeys.flatMap((key) => {
      const value = identifiers[key];
      return value === undefined ? [] : [{ key, value: matchValues(key, value, carrier).stored }];
    }),
    ...journey.containers.map(({ number }) => ({ key: 'container' as const, value: matchValue(number) })),
    ...journey.pieces.map(({ trackingNumber }) => ({
      key: 'tracking_number' as const,
      value: matchValue(trackingNumber),
    })),
  ];
}

export function matchesMetadata(wanted: Record<string, string[]>, metadata: Record<string, string>): boolean {
  return Object.entries(wanted).every(
    ([key, values]) => Object.hasOwn(metadata, key) && values.includes(metadata[key] ?? ''),
  );
}

export function matchesVessel(wanted: readonly string[], { legs }: FilteredShipment['journey']): boolean {
  const vessels = legs.flatMap(({ vehicle }) => [vesselKey(vehicle?.name ?? ''), vehicle?.imo ?? '']);
  return wanted.some((text) => vessels.includes(soughtVessel(text)));
}

export function matchesText({ phrase, compact, words }: TextSearch, text: string): boolean {
  const isIn = (sought: SoughtText) => [sought.text, ...sought.others].some((way) => text.includes(way));
  return isIn(phrase) || (compact !== '' && text.includes(compact)) || words.every(isIn);
}

export function matchesPlace(wanted: readonly PlaceSearch[], place: Place | null): boolean {
  if (place === null) return false;
  const country = countryOf(place);
  const name = foldName(place.name ?? '');
  return wanted.some(
    ({ countries, codes, names, parts, within }) =>
      (country !== null && countries.includes(country)) ||
      [place.unlocode, place.iata].some((code) => code !== null && codes.includes(code)) ||
      ((within === null || (country !== null && within.includes(country))) &&
        (names.some((sought) => ` ${name} `.includes(` ${sought} `)) || parts.some((part) => name.includes(part)))),
  );
}
/** Values of the filter by assignee that are no ids. */
export const anyoneElse = { me: 'me', none: 'none' } as const;

/** The filter as this member means it. Null: nobody is asking, and `me` matches nothing. */
export function withMe<Filter extends { assignee?: string[] }>(filter: Filter, userId: string | null): Filter {
  if (filter.assignee?.includes(anyoneElse.me) !== true) return filter;
  const others = filter.assignee.filter((value) => value !== anyoneElse.me && value !== userId);
  return { ...filter, assignee: userId === null ? others : [userId, ...others] };
}
