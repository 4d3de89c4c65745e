import { foldName } from '../fold-text.ts';
import { lookupKeys, matchValue, matchValues } from '../registration/identifiers.ts';
import type { CarrierTime, Place } from '../tracking/event.ts';
import { isDay, localDay } from '../tracking/local-day.ts';
import { type PlaceSearch, type ResolvedFilter, readTextSearch, type SoughtText } from './filter.ts';
import { type Searchable, searchText } from './search-text.ts';
import { type IdentifierKey, identifierKeys, type Shipment } from './shipment.ts';
import { soughtVessel, vesselKey } from './vessel-key.ts';

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
  > & {
    tracking: Pick<Shipment['tracking'], 'state' | 'reason' | 'freshness'> &
      Partial<Pick<Shipment['tracking'], 'mode'>>;
    journey: Pick<
      Shipment['journey'],
      | 'status'
      | 'departure'
      | 'eta'
      | 'delayHours'
      | 'hasException'
      | 'exceptions'
      | 'containerStatusCounts'
      | 'freeTime'
    >;
  };

/**
 * True when the list with this filter contains the shipment; the store's SQL does the same. Freshness, `late`,
 * `overdueHours` and `needsAttention` are those that the shipment was read with.
 */
export function matchesFilter(filter: ResolvedFilter, shipment: FilteredShipment): boolean {
  const { journey, tracking } = shipment;
  const openExceptions = journey.exceptions.filter((exception) => exception.resolvedAt === null);
  return (
    (filter.archived === 'any' || (shipment.archivedAt !== null) === (filter.archived === true)) &&
    isAmong(filter.status, journey.status) &&
    isAmong(filter.transportMode, shipment.transportMode) &&
    isAmong(filter.carrier, shipment.carrier) &&
    isAmong(filter.trackingState, tracking.state) &&
    isAmong(filter.trackingReason, tracking.reason) &&
    isAmong(filter.trackingMode, tracking.mode ?? 'polled') &&
    isAmong(filter.freshness, tracking.freshness) &&
    isEqual(filter.stale, tracking.freshness === 'stale') &&
    matchesIdentifiers(filter, shipment) &&
    isAmong(filter.reference, shipment.reference) &&
    (filter.tag === undefined || filter.tag.some((tag) => shipment.tags.includes(tag))) &&
    (filter.q === undefined || matchesText(filter, searchText(shipment))) &&
    matchesMetadata(filter.metadata, shipment.metadata) &&
    matchesVessel(filter.vessel, journey) &&
    (filter.containerStatus?.some((status) => (journey.containerStatusCounts[status] ?? 0) > 0) ?? true) &&
    matchesPlace(filter.origin, journey.origin) &&
    matchesPlace(filter.destination, journey.destination) &&
    happensWithin(journey.eta?.time ?? null, filter.etaFrom, filter.etaTo) &&
    happensWithin(journey.departure.actual, filter.departedFrom, filter.departedTo) &&
    isWithin(shipment.createdAt, filter.createdFrom, filter.createdTo) &&
    isWithin(shipment.updatedAt, filter.updatedSince, undefined) &&
    isEqual(filter.hasException, journey.hasException) &&
    isEqual(filter.needsAttention, shipment.needsAttention) &&
    (filter.exception === undefined || openExceptions.some((exception) => isAmong(filter.exception, exception.code))) &&
    isAtLeast(filter.delayedMinHours, journey.delayHours) &&
    isAtLeast(filter.overdueMinHours, shipment.overdueHours) &&
    isEqual(filter.late, shipment.late) &&
    isDayWithin(journey.freeTime?.lastFreeDay ?? null, filter.lastFreeDayFrom, filter.lastFreeDayTo) &&
    (filter.freeTime?.some((state) => journey.freeTime?.states.includes(state) ?? false) ?? true)
  );
}

function isAmong<T>(wanted: readonly T[] | undefined, value: T | null): boolean {
  return wanted === undefined || (value !== null && wanted.includes(value));
}

function isEqual(wanted: boolean | undefined, value: boolean): boolean {
  return wanted === undefined || wanted === value;
}

function isAtLeast(min: number | undefined, hours: number | null): boolean {
  return min === undefined || (hours !== null && hours >= min);
}

/** A bound that is a date compares the local day, and an instant the instant. */
function happensWithin(time: CarrierTime | null, from: string | undefined, to: string | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  if (time === null) return false;
  const isAfter = from === undefined || (isDay(from) ? localDay(time) >= from : isWithin(time.at, from, undefined));
  const isBefore = to === undefined || (isDay(to) ? localDay(time) <= to : isWithin(time.at, undefined, to));
  return isAfter && isBefore;
}

function isDayWithin(day: string | null, from: string | undefined, to: string | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  return day !== null && (from === undefined || day >= from) && (to === undefined || day <= to);
}

function isWithin(at: string | null, from: string | undefined, to: string | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  if (at === null) return false;
  const atMs = Date.parse(at);
  return (from === undefined || atMs >= Date.parse(from)) && (to === undefined || atMs <= Date.parse(to));
}

function matchesIdentifiers(filter: ResolvedFilter, shipment: FilteredShipment): boolean {
  const stored = [
    ...identifierKeys.flatMap((key) => {
      const value = shipment.identifiers[key];
      return value === undefined ? [] : [{ key, value: matchValues(key, value, shipment.carrier).stored }];
    }),
    ...shipment.journey.containers.map(({ number }) => ({ key: 'container' as const, value: matchValue(number) })),
    ...shipment.journey.pieces.map(({ trackingNumber }) => ({
      key: 'tracking_number' as const,
      value: matchValue(trackingNumber),
    })),
  ];
  const isFound = (key: IdentifierKey | null, sought: string) =>
    matchValues(key, sought, null).candidates.some(
      (candidate) =>
        (candidate.carrier === null || candidate.carrier === shipment.carrier) &&
        stored.some(
          (entry) =>
            entry.value === candidate.value &&
            (key === null ? lookupKeys('auto') : [key]).includes(entry.key) &&
            (candidate.keys === null || candidate.keys.includes(entry.key)),
        ),
    );
  return (
    (filter.identifier === undefined || filter.identifier.some((sought) => isFound(null, sought))) &&
    identifierKeys.every((key) => filter.identifiers?.[key]?.some((sought) => isFound(key, sought)) ?? true)
  );
}

function matchesMetadata(wanted: ResolvedFilter['metadata'], metadata: Record<string, string>): boolean {
  return Object.entries(wanted ?? {}).every(
    ([key, values]) => Object.hasOwn(metadata, key) && values.includes(metadata[key] ?? ''),
  );
}

function matchesVessel(wanted: readonly string[] | undefined, { legs }: FilteredShipment['journey']): boolean {
  if (wanted === undefined) return true;
  const vessels = legs.flatMap(({ vehicle }) => [vesselKey(vehicle?.name ?? ''), vehicle?.imo ?? '']);
  return wanted.some((text) => vessels.includes(soughtVessel(text)));
}

function matchesText(filter: ResolvedFilter, text: string): boolean {
  const { phrase, compact, words } = readTextSearch(filter);
  const isIn = (sought: SoughtText) => [sought.text, ...sought.others].some((way) => text.includes(way));
  return isIn(phrase) || (compact !== '' && text.includes(compact)) || words.every(isIn);
}

function matchesPlace(wanted: readonly PlaceSearch[] | undefined, place: Place | null): boolean {
  if (wanted === undefined) return true;
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

/** A place without a country has the country of its UN/LOCODE. */
export function countryOf(place: Place): string | null {
  return place.country ?? place.unlocode?.slice(0, 2) ?? null;
}
