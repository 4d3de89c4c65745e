import type { ClockState } from '../record/free-time.ts';
import type { AskedValue, FilterName, SoughtValue } from './filter-table.ts';
import type { OtherTexts } from './text-search.ts';

/**
 * The one filter language of list, counts, export, MCP and webhooks. An absent field doesn't filter. Values of one
 * field are OR, different fields are AND. Times are ISO UTC, both ends included. The bounds of ETA, departure, arrival and
 * delivery may be dates: then they compare the calendar day at that place.
 */
export type ShipmentFilter = { -readonly [Name in FilterName]?: AskedValue<Name> };

/** The filter with the meaning of its places and of `q`, from the lists of places. */
export type ResolvedFilter = { -readonly [Name in FilterName]?: SoughtValue<Name> } & {
  /** Absent: none. */
  otherTexts?: OtherTexts;
};

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
