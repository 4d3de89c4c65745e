import { dayWords } from '../../parts/time-words.ts';
import { type ListFilter, listFilterOf, listFilters } from './list-filters.ts';
import type { Narrowing, Sort, View } from './list-search.ts';
import type { ShipmentRow } from './shipment-row.ts';

export const viewWords: Record<View, string> = {
  current: 'Current',
  mine: 'Mine',
  needs: 'Needs attention',
  late: 'Late',
  exceptions: 'Exceptions',
  stale: 'Stale',
  arriving: 'Arriving today',
  free_time: 'Free time at risk',
  all: 'All',
  any: 'All, with archived ones',
  archived: 'Archived',
};

export const sortNames: Record<Sort, string> = {
  eta: 'Soonest first',
  '-eta': 'Latest arrival first',
  '-created_at': 'Newest first',
  created_at: 'Oldest first',
  '-updated_at': 'Last changed first',
  '-status_changed_at': 'Last status change first',
  '-last_event_at': 'Latest event first',
  last_free_day: 'Free time ends soonest',
  '-last_free_day': 'Free time ends latest',
};

export const filterWords: Record<Narrowing, string> = {
  ...(Object.fromEntries(listFilters.map((name) => [name, listFilterOf(name).title])) as Record<ListFilter, string>),
  q: 'Search',
  numbers: 'Numbers',
  eta: 'Arrives',
  arrived: 'Arrived',
  registered: 'Registered',
};

/** The first rows of a list name its frequent places; all rows of a list of one place name it. */
const maxNamedRows = 200;

/** Names of places by code, from the rows of the list. */
export type PlaceNames = ReadonlyMap<string, string>;

export function placeNamesOf(rows: readonly Pick<ShipmentRow, 'origin' | 'destination'>[]): PlaceNames {
  const names = new Map<string, string>();
  for (const { origin, destination } of rows.slice(0, maxNamedRows))
    for (const place of [origin, destination]) if (place?.code && place.name) names.set(place.code, place.name);
  return names;
}

/** The label of a filter value. `places` has the names of codes. Those of members are there once `peopleQuery` has read them. */
export function valueWords(name: Narrowing, value: string, places?: PlaceNames): string {
  if (name === 'origin' || name === 'destination') return places?.get(value) ?? value;
  if (name === 'eta' || name === 'arrived' || name === 'registered')
    return value
      .split('..')
      .map((day) => dayWords(day))
      .join(' – ');
  if (name === 'q' || name === 'numbers') return value;
  return listFilterOf(name).words?.(value) ?? value;
}
