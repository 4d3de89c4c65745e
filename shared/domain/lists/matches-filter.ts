import { arrivalOf } from '../analytics/arrival.ts';
import { delayCausesOf } from '../analytics/delay-causes.ts';
import { freeTimeOutcomeOf } from '../analytics/free-time-outcome.ts';
import { countryLaneOf, laneOf } from '../analytics/lane.ts';
import type { CarrierTime, Place } from '../events/event.ts';
import { countryOf } from '../events/event-place.ts';
import { isDay, localDay } from '../events/local-day.ts';
import { foldName } from '../fold-text.ts';
import { type IdentifierKey, identifierKeys, type Shipment } from '../record/shipment.ts';
import { lookupKeys, matchValue, matchValues } from '../registration/identifiers.ts';
import { soughtVessel, vesselKey } from '../words/vessel-key.ts';
import {
  anyoneElse,
  type PlaceSearch,
  type ResolvedFilter,
  readTextSearch,
  type SoughtText,
  type TextSearch,
} from './filter.ts';
import { type Searchable, searchText } from './search-text.ts';

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

/** Whether the list with this filter contains the shipment. */
export type FilterMatch = (shipment: FilteredShipment) => boolean;

/**
 * True when the list with this filter contains the shipment; the store's SQL does the same. Freshness, `late`,
 * `overdueHours` and `needsAttention` are those that the shipment was read with.
 */
export function matchesFilter(filter: ResolvedFilter, shipment: FilteredShipment): boolean {
  return compileFilter(filter)(shipment);
}

/** `matchesFilter` for many shipments: only the conditions that the filter has are evaluated, the cheapest first. */
export function compileFilter(filter: ResolvedFilter): FilterMatch {
  const conditions = conditionsOf(filter);
  return (shipment) => {
    for (const condition of conditions) if (!condition(shipment)) return false;
    return true;
  };
}

function conditionsOf(filter: ResolvedFilter): FilterMatch[] {
  const conditions: FilterMatch[] = [];
  const add = <Name extends keyof ResolvedFilter>(
    name: Name,
    holds: (wanted: NonNullable<ResolvedFilter[Name]>, shipment: FilteredShipment) => boolean,
  ): void => {
    const wanted = filter[name];
    if (wanted !== undefined) conditions.push((shipment) => holds(wanted as NonNullable<typeof wanted>, shipment));
  };
  if (filter.archived !== 'any') {
    const isArchived = filter.archived === true;
    conditions.push(({ archivedAt }) => (archivedAt !== null) === isArchived);
  }
  add('status', (wanted, { journey }) => isAmong(wanted, journey.status));
  add('transportMode', (wanted, { transportMode }) => isAmong(wanted, transportMode));
  add('carrier', (wanted, { carrier }) => isAmong(wanted, carrier));
  add('trackingState', (wanted, { tracking }) => isAmong(wanted, tracking.state));
  add('trackingReason', (wanted, { tracking }) => isAmong(wanted, tracking.reason));
  add('trackingMode', (wanted, { tracking }) => isAmong(wanted, tracking.mode ?? 'polled'));
  add('freshness', (wanted, { tracking }) => isAmong(wanted, tracking.freshness));
  add('stale', (wanted, { tracking }) => (tracking.freshness === 'stale') === wanted);
  add('reference', (wanted, { reference }) => isAmong(wanted, reference));
  add('tag', (wanted, { tags }) => wanted.some((tag) => tags.includes(tag)));
  add('hasException', (wanted, { journey }) => journey.hasException === wanted);
  add('needsAttention', (wanted, { needsAttention }) => needsAttention === wanted);
  add('assignee', (wanted, { assignee }) => wanted.includes(assignee?.userId ?? anyoneElse.none));
  add('late', (wanted, { late }) => late === wanted);
  add('delayedMinHours', (min, { journey }) => isAtLeast(min, journey.delayHours));
  add('overdueMinHours', (min, { overdueHours }) => isAtLeast(min, overdueHours));
  add('freeTime', (wanted, { journey }) => wanted.some((state) => journey.freeTime?.states.includes(state)));
  add('containerStatus', (wanted, { journey }) =>
    wanted.some((status) => (journey.containerStatusCounts[status] ?? 0) > 0),
  );
  add('exception', (wanted, { journey }) =>
    journey.exceptions.some(({ code, resolvedAt }) => resolvedAt === null && isAmong(wanted, code)),
  );
  add('metadata', (wanted, { metadata }) => matchesMetadata(wanted, metadata));
  add('vessel', (wanted, { journey }) => matchesVessel(wanted, journey));
  addTimes(filter, conditions);
  addArrivals(filter, conditions);
  add('hasEvents', (wanted, { journey }) => (journey.latestEvent !== null) === wanted);
  add('lane', (wanted, { journey }) => wanted.includes(laneOf(journey)));
  add('countryLane', (wanted, { journey }) => wanted.includes(countryLaneOf(journey)));
  add('origin', (wanted, { journey }) => matchesPlace(wanted, journey.origin));
  add('destination', (wanted, { journey }) => matchesPlace(wanted, journey.destination));
  if (filter.identifier !== undefined || filter.identifiers !== undefined)
    conditions.push((shipment) => matchesIdentifiers(filter, shipment));
  if (filter.q !== undefined) {
    const search = readTextSearch(filter);
    conditions.push((shipment) => matchesText(search, searchText(shipment)));
  }
  return conditions;
}

function addTimes(filter: ResolvedFilter, conditions: FilterMatch[]): void {
  const { etaFrom, etaTo, departedFrom, departedTo, createdFrom, createdTo, updatedSince } = filter;
  const { deliveredFrom, deliveredTo, lastFreeDayFrom, lastFreeDayTo } = filter;
  const add = (bounds: (string | undefined)[], condition: FilterMatch): void => {
    if (bounds.some((bound) => bound !== undefined)) conditions.push(condition);
  };
  add([etaFrom, etaTo], ({ journey }) => happensWithin(journey.eta?.time ?? null, etaFrom, etaTo));
  add([departedFrom, departedTo], ({ journey }) => happensWithin(journey.departure.actual, departedFrom, departedTo));
  add([deliveredFrom, deliveredTo], ({ journey }) =>
    happensWithin(journey.delivery.actual, deliveredFrom, deliveredTo),
  );
  add([createdFrom, createdTo], ({ createdAt }) => isWithin(createdAt, createdFrom, createdTo));
  add([updatedSince], ({ updatedAt }) => isWithin(updatedAt, updatedSince, undefined));
  add([lastFreeDayFrom, lastFreeDayTo], ({ journey }) =>
    isDayWithin(journey.freeTime?.lastFreeDay ?? null, lastFreeDayFrom, lastFreeDayTo),
  );
}

function addArrivals(filter: ResolvedFilter, conditions: FilterMatch[]): void {
  const { arrivedFrom, arrivedTo, onTime, transitKnown, transitMinHours, delayCause, freeTimeOutcome } = filter;
  const asked = [arrivedFrom, arrivedTo, onTime, transitKnown, transitMinHours, delayCause, freeTimeOutcome];
  if (asked.every((part) => part === undefined)) return;
  conditions.push(({ journey, transportMode }) => {
    const arrival = arrivalOf(journey, transportMode);
    if (arrival === null || !happensWithin(arrival.time, arrivedFrom, arrivedTo)) return false;
    if (onTime !== undefined && !onTime.includes(arrival.onTime)) return false;
    if (transitKnown !== undefined && (arrival.transitHours !== null) !== transitKnown) return false;
    if (transitMinHours !== undefined && !isAtLeast(transitMinHours, arrival.transitHours)) return false;
    if (freeTimeOutcome !== undefined && !freeTimeOutcome.includes(freeTimeOutcomeOf(journey))) return false;
    if (delayCause === undefined) return true;
    const causes = arrival.onTime === 'late' ? delayCausesOf(journey.exceptions, arrival.time.at) : [];
    return causes.some((cause) => delayCause.includes(cause));
  });
}

function isAmong<T>(wanted: readonly T[], value: T | null): boolean {
  return value !== null && wanted.includes(value);
}

function isAtLeast(min: number, hours: number | null): boolean {
  return hours !== null && hours >= min;
}

/** A bound that is a date compares the local day, and an instant the instant. */
function happensWithin(time: CarrierTime | null, from: string | undefined, to: string | undefined): boolean {
  if (time === null) return false;
  const isAfter = from === undefined || (isDay(from) ? localDay(time) >= from : isWithin(time.at, from, undefined));
  const isBefore = to === undefined || (isDay(to) ? localDay(time) <= to : isWithin(time.at, undefined, to));
  return isAfter && isBefore;
}

function isDayWithin(day: string | null, from: string | undefined, to: string | undefined): boolean {
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

function matchesMetadata(wanted: Record<string, string[]>, metadata: Record<string, string>): boolean {
  return Object.entries(wanted).every(
    ([key, values]) => Object.hasOwn(metadata, key) && values.includes(metadata[key] ?? ''),
  );
}

function matchesVessel(wanted: readonly string[], { legs }: FilteredShipment['journey']): boolean {
  const vessels = legs.flatMap(({ vehicle }) => [vesselKey(vehicle?.name ?? ''), vehicle?.imo ?? '']);
  return wanted.some((text) => vessels.includes(soughtVessel(text)));
}

function matchesText({ phrase, compact, words }: TextSearch, text: string): boolean {
  const isIn = (sought: SoughtText) => [sought.text, ...sought.others].some((way) => text.includes(way));
  return isIn(phrase) || (compact !== '' && text.includes(compact)) || words.every(isIn);
}

function matchesPlace(wanted: readonly PlaceSearch[], place: Place | null): boolean {
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
