import type { InputOf } from '#shared/contract/operations.ts';
import { delayCauses, delayCauseWords } from '#shared/domain/analytics/delay-causes.ts';
import { freeTimeOutcomes } from '#shared/domain/analytics/free-time-outcome.ts';
import { readLane } from '#shared/domain/analytics/lane.ts';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { clockStates } from '#shared/domain/record/free-time.ts';
import {
  freshnesses,
  punctualities,
  statuses,
  trackingReasons,
  trackingStates,
} from '#shared/domain/record/shipment.ts';
import { memberName } from '../../api/people-query.ts';
import { capital, wordOf } from '../../parts/words/code-words.ts';
import {
  freshnessWords,
  hourWords,
  laneWords,
  outcomeWords,
  punctualityWords,
} from '../../parts/words/figure-words.ts';
import { stateWord } from '../../parts/words/free-time-words.ts';

type Query = NonNullable<InputOf<'listShipments'>['query']>;

type ListFilterRow = {
  title: string;
  /** The parameter of the API that takes the values. */
  field: keyof Query;
  /** The values that a URL may have. Absent: any. */
  values?: readonly string[];
  accepts?: (value: string) => boolean;
  /** The query of the values. Absent: all of them in `field`. */
  ask?: (values: readonly string[]) => Query;
  /** Absent: the value itself. */
  words?: (value: string) => string;
  /** True when webhook endpoints offer the filter. */
  isOfEndpoints?: boolean;
  /** True when a menu under "More filters" lists `values`. `filter-menus.tsx` places the others. */
  isInMenu?: boolean;
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

const assigneeWords: Record<string, string> = { me: 'Me', none: 'Nobody' };

/** Filters with several values, any of which may match, by their name in the URL of the list. */
export const listFilterTable = {
  status: { title: 'Status', field: 'status', values: statuses, words: wordOf, isOfEndpoints: true },
  mode: { title: 'Mode', field: 'transport_mode', values: transportModes, words: wordOf, isOfEndpoints: true },
  carrier: {
    title: 'Carrier',
    field: 'carrier',
    words: (code) => findCarrier(code)?.name ?? code,
    isOfEndpoints: true,
  },
  origin: { title: 'Origin', field: 'origin', isOfEndpoints: true },
  destination: { title: 'Destination', field: 'destination', isOfEndpoints: true },
  tag: { title: 'Tag', field: 'tag', isOfEndpoints: true },
  assignee: {
    title: 'Assignee',
    field: 'assignee',
    accepts: (value) => /^(me|none|user_[0-7][0-9a-hjkmnp-tv-z]{25})$/.test(value),
    words: (value) => assigneeWords[value] ?? memberName(value),
  },
  state: {
    title: 'Tracking',
    field: 'tracking_state',
    values: trackingStates,
    words: (value) => stateWords[value] ?? wordOf(value),
    isOfEndpoints: true,
    isInMenu: true,
  },
  clock: {
    title: 'Free time',
    field: 'free_time',
    values: clockStates,
    words: stateWord,
    isOfEndpoints: true,
    isInMenu: true,
  },
  // Analytics opens lists with these.
  on_time: {
    title: 'On time',
    field: 'on_time',
    values: punctualities,
    words: (value) => punctualityWords[value] ?? wordOf(value),
  },
  transit: {
    title: 'Transit time',
    field: 'transit_min_hours',
    accepts: (value) => /^(known|unknown|\d{1,5}(\.\d{1,3})?)$/.test(value),
    ask: (values) => {
      const isKnown = values.find((value) => value === 'known' || value === 'unknown');
      const min = values.find((value) => /^\d/.test(value));
      return {
        ...(isKnown === undefined ? {} : { transit_known: isKnown === 'known' }),
        ...(min === undefined ? {} : { transit_min_hours: Number(min) }),
      };
    },
    words: (value) => (/^\d/.test(value) ? `${hourWords(Number(value))} or more` : value),
  },
  cause: {
    title: 'Cause of delay',
    field: 'delay_cause',
    values: delayCauses,
    words: (value) => capital(delayCauseWords(value)),
  },
  outcome: {
    title: 'Free time was',
    field: 'free_time_outcome',
    values: freeTimeOutcomes,
    words: (value) => outcomeWords[value] ?? wordOf(value),
  },
  lane: { title: 'Lane', field: 'lane', accepts: (value) => readLane(value, 'codes') === value, words: laneWords },
  country_lane: {
    title: 'Lane',
    field: 'country_lane',
    accepts: (value) => readLane(value, 'countries') === value,
    words: laneWords,
  },
  events: {
    title: 'Events',
    field: 'has_events',
    values: ['yes', 'no'],
    ask: (values) => (values.length === 1 ? { has_events: values[0] === 'yes' } : {}),
    words: (value) => (value === 'yes' ? 'some' : 'none'),
  },
  freshness: {
    title: 'Data',
    field: 'freshness',
    values: freshnesses,
    words: (value) => freshnessWords[value] ?? wordOf(value),
  },
  reason: { title: 'Tracking', field: 'tracking_reason', values: trackingReasons, words: wordOf },
} as const satisfies Record<string, ListFilterRow>;

export type ListFilter = keyof typeof listFilterTable;
export const listFilters = Object.keys(listFilterTable) as ListFilter[];

export function listFilterOf(name: ListFilter): ListFilterRow {
  return listFilterTable[name];
}

/** The query of the API for the values of one filter. */
export function queryOf(name: ListFilter, values: readonly string[]): Query {
  const { field, ask } = listFilterOf(name);
  if (values.length === 0) return {};
  return ask === undefined ? { [field]: [...values] } : ask(values);
}
