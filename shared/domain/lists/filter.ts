import type { FreeTimeOutcome } from '../analytics/free-time-outcome.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import { foldText } from '../fold-text.ts';
import type { ClockState } from '../record/free-time.ts';
import type {
  ExceptionCode,
  Freshness,
  IdentifierKey,
  Punctuality,
  Status,
  TrackingMode,
  TrackingReason,
  TrackingState,
} from '../record/shipment.ts';

/**
 * The one filter language of list, counts, export, MCP and webhooks. An absent field doesn't filter. Values of one
 * field are OR, different fields are AND. Times are ISO UTC, both ends included. The bounds of ETA, departure, arrival and
 * delivery may be dates: then they compare the calendar day at that place.
 */
export type ShipmentFilter = {
  status?: Status[];
  transportMode?: TransportMode[];
  carrier?: string[];
  trackingState?: TrackingState[];
  trackingReason?: TrackingReason[];
  trackingMode?: TrackingMode[];
  freshness?: Freshness[];
  stale?: boolean;
  /** Any identifier, by `match_value`. */
  identifier?: string[];
  /** Exact matches by `match_value`. `container` also finds containers that the carrier reported later. */
  identifiers?: Partial<Record<IdentifierKey, string[]>>;
  reference?: string[];
  tag?: string[];
  q?: string;
  /** By key: one of the values, exact match. */
  metadata?: Record<string, string[]>;
  /** Names or IMO numbers of vessels on any leg. */
  vessel?: string[];
  /** A container has one of these statuses. */
  containerStatus?: Status[];
  origin?: string[];
  destination?: string[];
  etaFrom?: string;
  etaTo?: string;
  departedFrom?: string;
  departedTo?: string;
  deliveredFrom?: string;
  deliveredTo?: string;
  /** Registration has no place: a day of these two is one in UTC. */
  createdFrom?: string;
  createdTo?: string;
  updatedSince?: string;
  hasException?: boolean;
  /** By the rule in `needs-attention.ts`. */
  needsAttention?: boolean;
  /** Open exceptions only. */
  exception?: ExceptionCode[];
  delayedMinHours?: number;
  overdueMinHours?: number;
  /** By `isLate`. */
  late?: boolean;
  /** The earliest last free day of the open clocks: calendar days at the terminal, both included. */
  lastFreeDayFrom?: string;
  lastFreeDayTo?: string;
  /** A clock of a container is in one of these states. */
  freeTime?: ClockState[];
  /** Ids of members, `none` for nobody, and `me` until `withMe` has replaced it. */
  assignee?: string[];
  /** The end of the voyage by `arrivalOf`, like the fields down to `freeTimeOutcome`: only what has arrived matches. */
  arrivedFrom?: string;
  arrivedTo?: string;
  onTime?: Punctuality[];
  /** Whether the transit time is known. */
  transitKnown?: boolean;
  transitMinHours?: number;
  /** One of the causes of `delayCausesOf`: only late arrivals match. */
  delayCause?: string[];
  freeTimeOutcome?: FreeTimeOutcome[];
  /** Lanes by codes, and by countries, in the form of `laneKey`. */
  lane?: string[];
  countryLane?: string[];
  /** Whether anything has happened to it yet, by an event. */
  hasEvents?: boolean;
  /** True: only archived shipments. Absent or false: only the others. */
  archived?: boolean | 'any';
};

/** Values of the filter by assignee that are no ids. */
export const anyoneElse = { me: 'me', none: 'none' } as const;

/** The filter as this member means it. Null: nobody is asking, and `me` matches nothing. */
export function withMe<Filter extends Pick<ShipmentFilter, 'assignee'>>(filter: Filter, userId: string | null): Filter {
  if (filter.assignee?.includes(anyoneElse.me) !== true) return filter;
  const others = filter.assignee.filter((value) => value !== anyoneElse.me && value !== userId);
  return { ...filter, assignee: userId === null ? others : [userId, ...others] };
}

/** States of clocks that cost, or may soon, or nobody knows. The predicate of an index has the same. */
export const openClockStates: readonly ClockState[] = ['running', 'expiring', 'over', 'unknown_terms'];

export const shipmentSorts = [
  '-created_at',
  'created_at',
  '-updated_at',
  'updated_at',
  '-eta',
  'eta',
  '-status_changed_at',
  'status_changed_at',
  '-last_event_at',
  'last_event_at',
  '-delay_hours',
  'delay_hours',
  '-last_free_day',
  'last_free_day',
] as const;
export type ShipmentSort = (typeof shipmentSorts)[number];

/**
 * The filter without its part about free time. Of what it matches, shipments whose terms are unknown may belong to the
 * list as well. Null: the list is not about free time.
 */
export function withoutFreeTime(
  { lastFreeDayFrom, lastFreeDayTo, freeTime, ...filter }: ResolvedFilter,
  sort: ShipmentSort | null,
): ResolvedFilter | null {
  const isAsked = lastFreeDayFrom !== undefined || lastFreeDayTo !== undefined || freeTime !== undefined;
  return isAsked || sort?.endsWith('last_free_day') === true ? filter : null;
}

/** The filter with the meaning of its places and of `q`, from the lists of places. */
export type ResolvedFilter = Omit<ShipmentFilter, 'origin' | 'destination'> & {
  origin?: PlaceSearch[];
  destination?: PlaceSearch[];
  /** Other texts for the same place, by the phrase and the words of `q`. Absent: none. */
  otherTexts?: Readonly<Record<string, readonly string[]>>;
};

/** What a place in a filter means. Any of the parts may match. Names are in the form of `foldName`. */
export type PlaceSearch = {
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[];
  /** UN/LOCODEs and IATA codes. */
  codes: readonly string[];
  /** Whole words of a name. */
  names: readonly string[];
  /** Any part of a name. */
  parts: readonly string[];
  /** The countries to which `names` and `parts` are confined. Null: any. */
  within: readonly string[] | null;
};

/** A text of `q`, and other texts for the same place. */
export type SoughtText = { text: string; others: readonly string[] };

/**
 * What `q` means: the phrase (or another text for the same place) or the phrase without separators is part of the
 * search text, or all of the words are. All folded.
 */
export type TextSearch = { phrase: SoughtText; compact: string; words: SoughtText[] };

/** Parses `q`. Numbers are printed with and without separators. */
export function readTextSearch({ q = '', otherTexts = {} }: Pick<ResolvedFilter, 'q' | 'otherTexts'>): TextSearch {
  const phrase = foldText(q.trim());
  const sought = (text: string): SoughtText => ({ text, others: otherTexts[text] ?? [] });
  return {
    phrase: sought(phrase),
    compact: phrase.replace(/[\s-]/g, ''),
    words: phrase
      .split(/\s+/)
      .filter((word) => word !== '')
      .map(sought),
  };
}

/** Places of the account, for a filter by origin or destination that matched nothing. */
export type PlaceSuggestion = {
  end: 'origin' | 'destination';
  /** As the client wrote it. */
  asked: string;
  /** Nearest first. `shipments` counts among the newest shipments. */
  places: { name: string | null; code: string | null; shipments: number }[];
};

/** The suggestion in words: `No shipments match with origin Goteburg. Nearest origins: Gothenburg (SEGOT, 12).` */
export function suggestionText({ end, asked, places }: PlaceSuggestion): string {
  const listed = places.map(({ name, code, shipments }) =>
    name === null || code === null ? `${name ?? code} (${shipments})` : `${name} (${code}, ${shipments})`,
  );
  const nearest =
    listed.length === 0 ? `No shipment has a known ${end} yet.` : `Nearest ${end}s: ${listed.join(', ')}.`;
  return `No shipments match with ${end} ${asked.slice(0, 60)}. ${nearest}`;
}
