import { daysOfInstant, instantsOfDay, isDay } from '#shared/domain/events/local-day.ts';
import { openClockStates, type ResolvedFilter } from '#shared/domain/lists/filter.ts';
import { anyoneElse } from '#shared/domain/lists/filter-conditions.ts';
import type { FilterName, SoughtValue } from '#shared/domain/lists/filter-table.ts';
import { searchTerm } from '#shared/domain/lists/search-terms.ts';
import { type PlaceSearch, readTextSearch, type SoughtText } from '#shared/domain/lists/text-search.ts';
import { type IdentifierKey, identifierKeys } from '#shared/domain/record/shipment.ts';
import { lookupKeys, matchValues } from '#shared/domain/registration/identifiers.ts';
import { soughtVessel } from '#shared/domain/words/vessel-key.ts';
import { identifierCondition } from '../registration/identifiers.ts';
import { hasFreshness } from '../shipments/shipment-row.ts';

/** The lanes of `f`, in the form of `laneKey`. */
export const laneText = `(f.origin || '-' || f.destination)`;
export const countryLaneText = `(f.origin_country || '-' || f.destination_country)`;

/**
 * Columns that filters compare with an instant or with the calendar day at its place, and the one of both that an index
 * has.
 */
const happeningColumns = {
  eta: { at: 'eta', day: 'eta_day', indexed: 'at' },
  departed: { at: 'departed_at', day: 'departed_day', indexed: 'day' },
  delivered: { at: 'delivered_at', day: 'delivered_day', indexed: 'day' },
} as const;

/** Appends a parameter and returns its placeholder. */
export type Add = (value: unknown) => string;

/** Context of a condition besides its own value. */
export type FilterContext = Pick<ResolvedFilter, 'otherTexts'> & {
  /** A bound that every remaining row in the order of the list fulfils. Its day is still compared. */
  passedBound: 'eta>=' | 'eta<=' | null;
};

/**
 * Conditions over `s` (shipments), `p` (polling) or `f` (measures). Only `p` and `f` are joined for their conditions.
 * `arrival`: of `f`, and only what has arrived matches.
 */
export type FilterSql<Sought = never> = {
  of: 's' | 'p' | 'f' | 'arrival';
  conditions: (add: Add, sought: Sought, context: FilterContext) => string[];
};

/** The SQL of every filter, equivalent to `matches` in the domain's table. `$1` is the account, `$2` the mode. */
export const filterSql: { readonly [Name in FilterName]: FilterSql<SoughtValue<Name>> } = {
  status: shipments((add, wanted) => amongCondition(add, 's.status', wanted)),
  transportMode: shipments((add, wanted) => amongCondition(add, 's.transport_mode', wanted)),
  carrier: shipments((add, wanted) => amongCondition(add, 's.carrier', wanted)),
  // The closed list is written as literals, so that the partial index over rare states can be used.
  trackingState: polling(
    (_add, wanted) => `p.account_id = $1 and p.state in (${wanted.map((state) => `'${state}'`).join(', ')})`,
  ),
  trackingReason: polling((add, wanted) => amongCondition(add, 'p.reason', wanted)),
  trackingMode: polling((_add, wanted) => {
    if (wanted.length !== 1) return null;
    return wanted[0] === 'pushed' ? 'p.stale_after_hours is not null' : 'p.stale_after_hours is null';
  }),
  freshness: polling((_add, wanted) => `(${wanted.map(hasFreshness).join(' or ')})`),
  stale: polling((_add, wanted) =>
    wanted ? `p.account_id = $1 and ${hasFreshness('stale')}` : `${hasFreshness('stale')} is not true`,
  ),
  identifier: shipments((add, wanted) => numberCondition(add, null, wanted)),
  identifiers: {
    of: 's',
    conditions: (add, wanted) =>
      identifierKeys.flatMap((key) => (wanted[key] === undefined ? [] : [numberCondition(add, key, wanted[key])])),
  },
  assignee: shipments(assigneeCondition),
  reference: shipments(referenceCondition),
  tag: shipments((add, wanted) => `s.tags && ${add(wanted)}::text[]`),
  q: shipments((add, q, context) => textCondition(add, { ...context, q })),
  metadata: {
    of: 's',
    conditions: (add, wanted) =>
      Object.entries(wanted).map(([key, values]) =>
        maybeCommon(`s.metadata ->> ${add(key)} = any(${add(values)}::text[])`),
      ),
  },
  vessel: shipments((add, wanted) =>
    termCondition(
      add,
      wanted.map((text) => searchTerm.vessel(soughtVessel(text))),
    ),
  ),
  containerStatus: shipments((add, wanted) => termCondition(add, wanted.map(searchTerm.container))),
  origin: shipments((add, places) => placeCondition(add, 'origin', places)),
  destination: shipments((add, places) => placeCondition(add, 'destination', places)),
  etaFrom: happens('eta', '>='),
  etaTo: happens('eta', '<='),
  departedFrom: happens('departed', '>='),
  departedTo: happens('departed', '<='),
  deliveredFrom: happens('delivered', '>='),
  deliveredTo: happens('delivered', '<='),
  createdFrom: shipments((add, from) => `s.created_at >= ${add(from)}::timestamptz`),
  createdTo: shipments((add, to) => `s.created_at <= ${add(to)}::timestamptz`),
  updatedSince: shipments((add, from) => `s.updated_at >= ${add(from)}::timestamptz`),
  hasException: shipments((_add, wanted) => (wanted ? 's.has_exception' : 'not s.has_exception')),
  needsAttention: shipments((_add, wanted) => (wanted ? 's.needs_attention' : 'not s.needs_attention')),
  exception: shipments((add, wanted) => `s.has_exception and s.exception_codes && ${add(wanted)}::text[]`),
  delayedMinHours: shipments((add, min) => `s.delay_hours >= ${add(min)}::float8`),
  // Implies "late_from is not null", which the partial index over late shipments asks for.
  overdueMinHours: shipments(
    (add, min) =>
      `s.overdue_from <= now() - make_interval(hours => ${add(Math.ceil(min))}::integer) and s.late_from is not null`,
  ),
  late: shipments((_add, wanted) => (wanted ? 's.late_from <= now()' : '(s.late_from <= now()) is not true')),
  lastFreeDayFrom: shipments((add, from) => `s.last_free_day >= ${add(from)}::date`),
  lastFreeDayTo: shipments((add, to) => `s.last_free_day <= ${add(to)}::date`),
  freeTime: {
    of: 's',
    conditions: (add, wanted) => [
      maybeCommon(`s.free_time_states && ${add(wanted)}::text[]`),
      // The predicate of an index over few shipments.
      ...(wanted.every((state) => openClockStates.includes(state))
        ? [`s.free_time_states && '{${openClockStates.join(',')}}'`]
        : []),
    ],
  },
  hasEvents: shipments((_add, wanted) => `s.last_event_at is ${wanted ? 'not ' : ''}null`),
  archived: shipments((_add, wanted) => (wanted === 'any' ? null : `s.archived_at is ${wanted ? 'not ' : ''}null`)),
  arrivedFrom: { of: 'arrival', conditions: (add, from) => arrived(add, '>=', from) },
  arrivedTo: { of: 'arrival', conditions: (add, to) => arrived(add, '<=', to) },
  onTime: measures('arrival', (add, wanted) => `f.on_time = any(${add(wanted)}::text[])`),
  transitKnown: measures('arrival', (_add, wanted) => `f.transit_hours is ${wanted ? 'not ' : ''}null`),
  transitMinHours: measures('arrival', (add, min) => `f.transit_hours >= ${add(min)}::float8`),
  delayCause: measures('arrival', (add, wanted) => `f.delay_causes && ${add(wanted)}::text[]`),
  freeTimeOutcome: measures('arrival', (add, wanted) => `f.free_time_outcome = any(${add(wanted)}::text[])`),
  // Lanes are known before the arrival.
  lane: measures('f', (add, wanted) => `${laneText} = any(${add(wanted)}::text[])`),
  countryLane: measures('f', (add, wanted) => `${countryLaneText} = any(${add(wanted)}::text[])`),
};

/** Null: the value narrows nothing. */
type Condition<Sought> = (add: Add, sought: Sought, context: FilterContext) => string | null;

function shipments<Sought>(condition: Condition<Sought>): FilterSql<Sought> {
  return { of: 's', conditions: listed(condition) };
}

function polling<Sought>(condition: Condition<Sought>): FilterSql<Sought> {
  return { of: 'p', conditions: listed(condition) };
}

function measures<Sought>(of: 'f' | 'arrival', condition: Condition<Sought>): FilterSql<Sought> {
  return { of, conditions: listed(condition) };
}

function listed<Sought>(condition: Condition<Sought>): FilterSql<Sought>['conditions'] {
  return (...of) => {
    const text = condition(...of);
    return text === null ? [] : [text];
  };
}

function happens(name: keyof typeof happeningColumns, operator: '>=' | '<='): FilterSql<string> {
  const { at, day, indexed } = happeningColumns[name];
  return {
    of: 's',
    conditions: (add, bound, { passedBound }) => {
      const instant = (sought: string) => `s.${at} ${operator} ${add(sought)}::timestamptz`;
      const dayBound = (sought: string) => `s.${day} ${operator} ${add(sought)}::date`;
      if (!isDay(bound)) {
        // The index is over the days: these contain the instant wherever it happened.
        const { first, last } = daysOfInstant(bound);
        return [instant(bound), ...(indexed === 'day' ? [dayBound(operator === '>=' ? first : last)] : [])];
      }
      if (indexed === 'day' || passedBound === `${name}${operator}`) return [dayBound(bound)];
      // The index is over the instants: these contain every local day of the bound.
      const { first, last } = instantsOfDay(bound);
      return [dayBound(bound), instant(operator === '>=' ? first : last)];
    },
  };
}

function arrived(add: Add, operator: '>=' | '<=', bound: string): string[] {
  const { first, last } = isDay(bound) ? { first: bound, last: bound } : daysOfInstant(bound);
  return [
    ...(isDay(bound) ? [] : [`f.arrived_at ${operator} ${add(bound)}::timestamptz`]),
    `f.arrived_day ${operator} ${add(operator === '>=' ? first : last)}::date`,
  ];
}

function termCondition(add: Add, terms: readonly string[]): string {
  return maybeCommon(`s.search_terms && ${add(terms)}::text[]`);
}

/**
 * The planner takes such a condition for rare and would sort all of its matches. It takes a third of the rows to pass a
 * comparison of numbers. Where few rows match, the index of words has narrowed them before.
 */
function maybeCommon(condition: string): string {
  return `(${condition})::integer > 0`;
}

/** A single value is an equality: only then does the index order match the list order. */
function amongCondition(add: Add, column: string, wanted: readonly string[]): string {
  return wanted.length === 1 ? `${column} = ${add(wanted[0])}` : `${column} = any(${add(wanted)}::text[])`;
}

/** The first reference has an index of its own, and each other one has a row. */
function referenceCondition(add: Add, wanted: readonly string[]): string {
  const all = `any(${add(wanted)}::text[])`;
  const lists = [
    `select r.id from landfall.shipments as r where r.account_id = $1 and r.test = $2 and r.reference = ${all}`,
    `select r.shipment_id from landfall.shipment_references as r where r.account_id = $1 and r.test = $2 and r.reference = ${all}`,
  ];
  return `s.id = any(array(${lists.join(' union all ')}))`;
}

/** A single member is an equality, as for `amongCondition`. */
function assigneeCondition(add: Add, wanted: readonly string[]): string {
  const ids = wanted.filter((value) => value !== anyoneElse.none && value !== anyoneElse.me);
  const ways = [
    ...(ids.length === 1 ? [`s.assignee_id = ${add(ids[0])}::uuid`] : []),
    ...(ids.length > 1 ? [`s.assignee_id = any(${add(ids)}::uuid[])`] : []),
    ...(wanted.includes(anyoneElse.none) ? ['s.assignee_id is null'] : []),
  ];
  return ways.length === 0 ? 'false' : `(${ways.join(' or ')})`;
}

function numberCondition(add: Add, key: IdentifierKey | null, wanted: readonly string[]): string {
  const candidates = wanted.flatMap((value) => matchValues(key, value, null).candidates);
  return identifierCondition(add, candidates, key === null ? lookupKeys('auto') : [key]);
}

/** Parts of the search text. `strpos` rather than `like`, so that `%` and `_` are literal. */
function textCondition(add: Add, filter: ResolvedFilter): string {
  const { phrase, compact, words } = readTextSearch(filter);
  const contains = (text: string) => `strpos(s.search_text, ${add(text)}) > 0`;
  const containsAny = ({ text, others }: SoughtText) => [text, ...others].map(contains).join(' or ');
  const ways = [
    containsAny(phrase),
    ...(compact === '' ? [] : [contains(compact)]),
    `(${words.map((word) => `(${containsAny(word)})`).join(' and ')})`,
  ];
  return `(${ways.join(' or ')})`;
}

function placeCondition(add: Add, end: 'origin' | 'destination', places: readonly PlaceSearch[]): string {
  const ways = places.flatMap(({ countries, codes, names, parts, within }) => {
    const all = (list: readonly string[]) => `any(${add(list)}::text[])`;
    const named = [
      ...names.map((name) => `strpos(' ' || s.${end}_name || ' ', ${add(` ${name} `)}) > 0`),
      ...parts.map((part) => `strpos(s.${end}_name, ${add(part)}) > 0`),
    ].join(' or ');
    const confined = within === null ? '' : ` and s.${end}_country = ${all(within)}`;
    return [
      ...(countries.length > 0 ? [`s.${end}_country = ${all(countries)}`] : []),
      ...(codes.length > 0 ? [`s.${end}_unlocode = ${all(codes)} or s.${end}_iata = ${all(codes)}`] : []),
      ...(named === '' ? [] : [`(${named})${confined}`]),
    ];
  });
  return ways.length === 0 ? 'false' : `(${ways.join(' or ')})`;
}
