import { delayCauseWords } from '#shared/domain/analytics/delay-causes.ts';
import { memberName } from '../../api/people-query.ts';
import { dayWords } from '../../parts/time-words.ts';
import { capital, wordOf } from '../../parts/words/code-words.ts';
import {
  freshnessWords,
  hourWords,
  laneWords,
  outcomeWords,
  punctualityWords,
} from '../../parts/words/figure-words.ts';
import { stateWord } from '../../parts/words/free-time-words.ts';
import type { Narrowing, Sort, View } from './list-search.ts';
import { carrierName } from './row-words.ts';
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
  status: 'Status',
  mode: 'Mode',
  carrier: 'Carrier',
  origin: 'Origin',
  destination: 'Destination',
  tag: 'Tag',
  assignee: 'Assignee',
  state: 'Tracking',
  clock: 'Free time',
  q: 'Search',
  numbers: 'Numbers',
  eta: 'Arrives',
  arrived: 'Arrived',
  registered: 'Registered',
  on_time: 'On time',
  transit: 'Transit time',
  cause: 'Cause of delay',
  outcome: 'Free time was',
  lane: 'Lane',
  country_lane: 'Lane',
  events: 'Events',
  freshness: 'Data',
  reason: 'Tracking',
};

const stateWords: Record<string, string> = {
  queued: 'Queued',
  active: 'Active',
  awaiting_carrier: 'Awaiting carrier',
  degraded: 'Degraded',
  failed: 'Failed',
  stopped: 'Stopped',
  completed: 'Completed',
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

const assigneeWords: Record<string, string> = { me: 'Me', none: 'Nobody' };

/** The label of a filter value. `places` has the names of codes. Those of members are there once `peopleQuery` has read them. */
export function valueWords(name: Narrowing, value: string, places?: PlaceNames): string {
  if (name === 'origin' || name === 'destination') return places?.get(value) ?? value;
  if (name === 'eta' || name === 'arrived' || name === 'registered')
    return value
      .split('..')
      .map((day) => dayWords(day))
      .join(' – ');
  if (name === 'assignee') return assigneeWords[value] ?? memberName(value);
  if (name === 'lane' || name === 'country_lane') return laneWords(value);
  if (name === 'transit') return /^\d/.test(value) ? `${hourWords(Number(value))} or more` : value;
  if (name === 'cause') return capital(delayCauseWords(value));
  if (name === 'events') return value === 'yes' ? 'some' : 'none';
  if (name === 'on_time') return punctualityWords[value] ?? wordOf(value);
  if (name === 'freshness') return freshnessWords[value] ?? wordOf(value);
  if (name === 'outcome') return outcomeWords[value] ?? wordOf(value);
  if (name === 'reason') return wordOf(value);
  if (name === 'carrier') return carrierName(value);
  if (name === 'clock') return stateWord(value);
  if (name === 'state') return stateWords[value] ?? wordOf(value);
  if (name === 'status' || name === 'mode') return wordOf(value);
  return value;
}
