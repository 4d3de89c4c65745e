import { wordOf } from '../../parts/code-words.ts';
import type { IconName } from '../../parts/icon.tsx';
import { dayWords } from '../../parts/time-words.ts';
import type { Narrowing, Sort, View } from './list-search.ts';
import { carrierName } from './row-words.ts';

export const viewWords: Record<View, string> = {
  current: 'Current',
  needs: 'Needs you',
  late: 'Late',
  exceptions: 'Exceptions',
  stale: 'Stale',
  arriving: 'Arriving today',
  all: 'All',
  archived: 'Archived',
};

export const sortWords: Record<Sort, string> = {
  eta: 'Soonest first',
  '-eta': 'Latest arrival first',
  '-created_at': 'Newest first',
  created_at: 'Oldest first',
  '-updated_at': 'Changed last',
  '-status_changed_at': 'Status changed last',
  '-last_event_at': 'Latest event first',
};

export const filterWords: Record<Narrowing, string> = {
  status: 'Status',
  mode: 'Mode',
  carrier: 'Carrier',
  origin: 'Origin',
  destination: 'Destination',
  tag: 'Tag',
  state: 'State',
  q: 'Search',
  numbers: 'Numbers',
  eta: 'Arrives',
};

const stateWords: Record<string, string> = {
  queued: 'First refresh to come',
  active: 'Followed',
  awaiting_carrier: 'Carrier has no record yet',
  degraded: 'Carrier does not answer',
  failed: 'Given up',
  stopped: 'Stopped',
  completed: 'Completed',
};

/** A filter's value as people read it. */
export function valueWords(name: Narrowing, value: string): string {
  if (name === 'eta')
    return value
      .split('..')
      .map((day) => dayWords(day))
      .join(' – ');
  if (name === 'carrier') return carrierName(value);
  if (name === 'state') return stateWords[value] ?? wordOf(value);
  if (name === 'status' || name === 'mode') return wordOf(value);
  return value;
}

export const modeIcons: Record<string, IconName> = {
  ocean: 'ocean',
  air: 'air',
  road: 'road',
  rail: 'rail',
  parcel: 'parcel',
};
