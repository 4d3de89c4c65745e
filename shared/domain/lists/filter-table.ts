import { type Arrival, arrivalOf } from '../analytics/arrival.ts';
import { delayCausesOf } from '../analytics/delay-causes.ts';
import { type FreeTimeOutcome, freeTimeOutcomeOf } from '../analytics/free-time-outcome.ts';
import { countryLaneOf, laneOf } from '../analytics/lane.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import type { ClockState } from '../record/free-time.ts';
import {
  type ExceptionCode,
  type Freshness,
  type IdentifierKey,
  identifierKeys,
  type Punctuality,
  type Status,
  type TrackingMode,
  type TrackingReason,
  type TrackingState,
} from '../record/shipment.ts';
import {
  anyoneElse,
  type FilteredShipment,
  type FilterMatch,
  happensWithin,
  hasIdentifier,
  isAmong,
  isAtLeast,
  isDayWithin,
  isWithin,
  matchesMetadata,
  matchesPlace,
  matchesText,
  matchesVessel,
} from './filter-conditions.ts';
import { searchText } from './search-text.ts';
import { type OtherTexts, type PlaceSearch, readTextSearch } from './text-search.ts';

/** One filter of the list. `Asked`: its value as the client means it. `Sought`: with the meaning of its places. */
export type FilterRow<Asked = unknown, Sought = never> = {
  matches: (sought: Sought, otherTexts?: OtherTexts) => FilterMatch;
  /** True for a filter on fields that the snapshot of a change does not contain. */
  needsRecord: boolean;
  /** Carries the type alone. */
  asked?: Asked;
};

/**
 * Every filter of the list, in the order in which a filter has them. The names are those of the domain; REST has them in
 * snake_case (`shared/contract/lists/filter-fields.ts`), and the store has their SQL (`filter-sql.ts`).
 */
export const filterTable = {
  status: byValue<Status[]>((wanted, { journey }) => isAmong(wanted, journey.status)),
  transportMode: byValue<TransportMode[]>((wanted, { transportMode }) => isAmong(wanted, transportMode)),
  carrier: byValue<string[]>((wanted, { carrier }) => isAmong(wanted, carrier)),
  trackingState: byValue<TrackingState[]>((wanted, { tracking }) => isAmong(wanted, tracking.state)),
  trackingReason: byValue<TrackingReason[]>((wanted, { tracking }) => isAmong(wanted, tracking.reason)),
  trackingMode: byValue<TrackingMode[]>((wanted, { tracking }) => isAmong(wanted, tracking.mode ?? 'polled')),
  freshness: byValue<Freshness[]>((wanted, { tracking }) => isAmong(wanted, tracking.freshness)),
  stale: byValue<boolean>((wanted, { tracking }) => (tracking.freshness === 'stale') === wanted),
  /** Any identifier, by `match_value`. */
  identifier: byRecord<string[]>((values, shipment) => hasIdentifier(shipment, { key: null, values })),
  /** Exact matches by `match_value`. `container` also finds containers that the carrier reported later. */
  identifiers: byRecord<Partial<Record<IdentifierKey, string[]>>>((wanted, shipment) =>
    identifierKeys.every((key) => {
      const values = wanted[key];
      return values === undefined || hasIdentifier(shipment, { key, values });
    }),
  ),
  // Changes of shipments may have been written without the list.
  reference: byValue<string[]>((wanted, { reference, references = [] }) =>
    [reference, ...references].some((one) => isAmong(wanted, one)),
  ),
  tag: byValue<string[]>((wanted, { tags }) => wanted.some((tag) => tags.includes(tag))),
  /** Ids of members, `none` for nobody, and `me` until `withMe` has replaced it. */
  assignee: byValue<string[]>((wanted, { assignee }) => wanted.includes(assignee?.userId ?? anyoneElse.none)),
  q: {
    needsRecord: true,
    matches: (q, otherTexts = {}) => {
      const search = readTextSearch({ q, otherTexts });
      return (shipment) => matchesText(search, searchText(shipment));
    },
  } as FilterRow<string, string>,
  /** By key: one of the values, exact match. */
  metadata: byRecord<Record<string, string[]>>((wanted, { metadata }) => matchesMetadata(wanted, metadata)),
  /** Names or IMO numbers of vessels on any leg. */
  vessel: byRecord<string[]>((wanted, { journey }) => matchesVessel(wanted, journey)),
  /** A container has one of these statuses. */
  containerStatus: byRecord<Status[]>((wanted, { journey }) =>
    wanted.some((status) => (journey.containerStatusCounts[status] ?? 0) > 0),
  ),
  origin: byValue<string[], PlaceSearch[]>((wanted, { journey }) => matchesPlace(wanted, journey.origin)),
  destination: byValue<string[], PlaceSearch[]>((wanted, { journey }) => matchesPlace(wanted, journey.destination)),
  etaFrom: byValue<string>((from, { journey }) => happensWithin(journey.eta?.time ?? null, from, undefined)),
  etaTo: byValue<string>((to, { journey }) => happensWithin(journey.eta?.time ?? null, undefined, to)),
  departedFrom: byValue<string>((from, { journey }) => happensWithin(journey.departure.actual, from, undefined)),
  departedTo: byValue<string>((to, { journey }) => happensWithin(journey.departure.actual, undefined, to)),
  deliveredFrom: byValue<string>((from, { journey }) => happensWithin(journey.delivery.actual, from, undefined)),
  deliveredTo: byValue<string>((to, { journey }) => happensWithin(journey.delivery.actual, undefined, to)),
  /** Registration has no place: a day of these two is one in UTC. */
  createdFrom: byValue<string>((from, { createdAt }) => isWithin(createdAt, from, undefined)),
  createdTo: byValue<string>((to, { createdAt }) => isWithin(createdAt, undefined, to)),
  updatedSince: byValue<string>((from, { updatedAt }) => isWithin(updatedAt, from, undefined)),
  hasException: byValue<boolean>((wanted, { journey }) => journey.hasException === wanted),
  /** By the rule in `needs-attention.ts`. */
  needsAttention: byValue<boolean>((wanted, { needsAttention }) => needsAttention === wanted),
  /** Open exceptions only. */
  exception: byRecord<ExceptionCode[]>((wanted, { journey }) =>
    journey.exceptions.some(({ code, resolvedAt }) => resolvedAt === null && isAmong(wanted, code)),
  ),
  delayedMinHours: byValue<number>((min, { journey }) => isAtLeast(min, journey.delayHours)),
  overdueMinHours: byValue<number>((min, { overdueHours }) => isAtLeast(min, overdueHours)),
  /** By `isLate`. */
  late: byValue<boolean>((wanted, { late }) => late === wanted),
  /** The earliest last free day of the open clocks: calendar days at the terminal, both included. */
  lastFreeDayFrom: byValue<string>((from, { journey }) => isDayWithin(lastFreeDayOf(journey), from, undefined)),
  lastFreeDayTo: byValue<string>((to, { journey }) => isDayWithin(lastFreeDayOf(journey), undefined, to)),
  /** A clock of a container is in one of these states. */
  freeTime: byValue<ClockState[]>((wanted, { journey }) =>
    wanted.some((state) => journey.freeTime?.states.includes(state)),
  ),
  /** The end of the voyage by `arrivalOf`, like the rows down to `freeTimeOutcome`: only what has arrived matches. */
  arrivedFrom: byArrival<string>((from, { time }) => happensWithin(time, from, undefined)),
  arrivedTo: byArrival<string>((to, { time }) => happensWithin(time, undefined, to)),
  onTime: byArrival<Punctuality[]>((wanted, { onTime }) => wanted.includes(onTime)),
  /** True for shipments whose transit time is known. */
  transitKnown: byArrival<boolean>((wanted, { transitHours }) => (transitHours !== null) === wanted),
  transitMinHours: byArrival<number>((min, { transitHours }) => isAtLeast(min, transitHours)),
  /** One of the causes of `delayCausesOf`: only late arrivals match. */
  delayCause: {
    ...byArrival<string[]>(
      (wanted, { onTime, time }, { exceptions }) =>
        onTime === 'late' && delayCausesOf(exceptions, time.at).some((cause) => wanted.includes(cause)),
    ),
    needsRecord: true,
  },
  freeTimeOutcome: {
    ...byArrival<FreeTimeOutcome[]>((wanted, _arrival, journey) => wanted.includes(freeTimeOutcomeOf(journey))),
    needsRecord: true,
  },
  /** Lanes by codes, and by countries, in the form of `laneKey`. */
  lane: byValue<string[]>((wanted, { journey }) => wanted.includes(laneOf(journey))),
  countryLane: byValue<string[]>((wanted, { journey }) => wanted.includes(countryLaneOf(journey))),
  /** True for shipments with an event. */
  hasEvents: byValue<boolean>((wanted, { journey }) => (journey.latestEvent !== null) === wanted),
  /** True: only archived shipments. Absent or false: only the others. */
  archived: byValue<boolean | 'any'>((wanted, { archivedAt }) => wanted === 'any' || (archivedAt !== null) === wanted),
};

export type FilterName = keyof typeof filterTable;
export type AskedValue<Name extends FilterName> =
  (typeof filterTable)[Name] extends FilterRow<infer Asked, infer _Sought> ? Asked : never;
export type SoughtValue<Name extends FilterName> = Parameters<(typeof filterTable)[Name]['matches']>[0];

export const filterNames = Object.keys(filterTable) as FilterName[];

/** True for a condition on fields that the snapshot of a change does not contain. */
export function needsRecord(name: string): boolean {
  return Object.hasOwn(filterTable, name) && filterTable[name as FilterName].needsRecord;
}

type Holds<Sought> = (sought: Sought, shipment: FilteredShipment) => boolean;

/** A filter that the snapshot of a change decides. */
function byValue<Asked, Sought = Asked>(holds: Holds<Sought>): FilterRow<Asked, Sought> {
  return { needsRecord: false, matches: (sought) => (shipment) => holds(sought, shipment) };
}

function byRecord<Asked>(holds: Holds<Asked>): FilterRow<Asked, Asked> {
  return { ...byValue(holds), needsRecord: true };
}

function byArrival<Asked>(
  holds: (sought: Asked, arrival: Arrival, journey: FilteredShipment['journey']) => boolean,
): FilterRow<Asked, Asked> {
  return byValue((sought, { journey, transportMode }) => {
    const arrival = arrivalOf(journey, transportMode);
    return arrival !== null && holds(sought, arrival, journey);
  });
}

function lastFreeDayOf({ freeTime }: FilteredShipment['journey']): string | null {
  return freeTime?.lastFreeDay ?? null;
}
