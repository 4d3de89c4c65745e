import { daysOfInstant, instantsOfDay, isDay } from '#shared/domain/events/local-day.ts';
import {
  anyoneElse,
  openClockStates,
  type PlaceSearch,
  type ResolvedFilter,
  readTextSearch,
  type SoughtText,
} from '#shared/domain/lists/filter.ts';
import { searchTerm } from '#shared/domain/lists/search-terms.ts';
import { type IdentifierKey, identifierKeys } from '#shared/domain/record/shipment.ts';
import { lookupKeys, matchValues } from '#shared/domain/registration/identifiers.ts';
import { soughtVessel } from '#shared/domain/words/vessel-key.ts';
import { identifierCondition } from '../registration/identifiers.ts';
import { hasFreshness, shipmentTables } from '../shipments/shipment-row.ts';
import { measuresCondition } from './measures-condition.ts';

/** A shipment that may match, with its sort time (ms since 1970). */
export type Candidate = { id: string; createdAtMs: number };

export type FilterScope = {
  accountId: string;
  test: boolean;
  filter: ResolvedFilter;
  /** The result of `narrowByWords`: no other shipment can match. Null: too many matches. Absent: not narrowed yet. */
  candidates?: readonly Candidate[] | null;
  /** A bound that every remaining row in the order of the list fulfils. Its day is still compared. */
  passedBound?: 'eta>=' | 'eta<=' | null;
};

/** What filters compare with an instant or with the calendar day at its place, and which of both an index holds. */
const happeningColumns = {
  eta: { at: 'eta', day: 'eta_day', indexed: 'at' },
  departed: { at: 'departed_at', day: 'departed_day', indexed: 'day' },
  delivered: { at: 'delivered_at', day: 'delivered_day', indexed: 'day' },
} as const;

export type Condition = {
  text: string;
  values: unknown[];
  add: (value: unknown) => string;
  /** The tables of the condition. `p` is joined only where needed. */
  tables: string;
};

/**
 * The filter as a condition over `s` (shipments) and `p` (polling), equivalent to the domain's `matchesFilter`. `$1` is
 * the account. `add` appends a parameter and returns its placeholder.
 */
export function filterCondition({ accountId, test, filter, candidates, passedBound }: FilterScope): Condition {
  const values: unknown[] = [accountId, test];
  const add = (value: unknown) => `$${values.push(value)}`;
  const parts = ['s.account_id = $1', 's.test = $2'];
  if (filter.archived !== 'any') parts.push(`s.archived_at is ${filter.archived === true ? 'not ' : ''}null`);
  const among = (column: string, wanted: readonly string[] | undefined) => {
    if (wanted !== undefined) parts.push(amongCondition(add, column, wanted));
  };
  const compare = (column: string, operator: '>=' | '<=', bound: string | undefined) => {
    if (bound !== undefined) parts.push(`s.${column} ${operator} ${add(bound)}::timestamptz`);
  };

  const happens = (name: keyof typeof happeningColumns, operator: '>=' | '<=', bound: string | undefined) => {
    const { at, day, indexed } = happeningColumns[name];
    if (bound === undefined) return;
    const compareDay = (sought: string) => parts.push(`s.${day} ${operator} ${add(sought)}::date`);
    if (!isDay(bound)) {
      compare(at, operator, bound);
      // The index is over the days: these contain the instant wherever it happened.
      const { first, last } = daysOfInstant(bound);
      if (indexed === 'day') compareDay(operator === '>=' ? first : last);
      return;
    }
    compareDay(bound);
    if (indexed === 'day') return;
    // The index is over the instants: these contain every local day of the bound.
    const { first, last } = instantsOfDay(bound);
    if (passedBound !== `${name}${operator}`) compare(at, operator, operator === '>=' ? first : last);
  };

  const hasTerm = (terms: readonly string[]) => maybeCommon(`s.search_terms && ${add(terms)}::text[]`);

  if (candidates) parts.push(`s.id = any(${add(candidates.map(({ id }) => id))}::uuid[])`);
  among('s.status', filter.status);
  among('s.transport_mode', filter.transportMode);
  among('s.carrier', filter.carrier);
  // The closed list is written as literals, so that the partial index over rare states can be used.
  if (filter.trackingState)
    parts.push(`p.account_id = $1 and p.state in (${filter.trackingState.map((state) => `'${state}'`).join(', ')})`);
  if (filter.trackingReason) among('p.reason', filter.trackingReason);
  if (filter.trackingMode?.length === 1)
    parts.push(filter.trackingMode[0] === 'pushed' ? 'p.stale_after_hours is not null' : 'p.stale_after_hours is null');
  if (filter.freshness) parts.push(`(${filter.freshness.map(hasFreshness).join(' or ')})`);
  if (filter.stale === true) parts.push(`p.account_id = $1 and ${hasFreshness('stale')}`);
  if (filter.stale === false) parts.push(`${hasFreshness('stale')} is not true`);
  if (filter.identifier) parts.push(numberCondition(add, null, filter.identifier));
  for (const key of identifierKeys) {
    const wanted = filter.identifiers?.[key];
    if (wanted !== undefined) parts.push(numberCondition(add, key, wanted));
  }
  if (filter.assignee) parts.push(assigneeCondition(add, filter.assignee));
  among('s.reference', filter.reference);
  if (filter.tag) parts.push(`s.tags && ${add(filter.tag)}::text[]`);
  if (filter.q !== undefined) parts.push(textCondition(add, filter));
  for (const [key, values] of Object.entries(filter.metadata ?? {}))
    parts.push(maybeCommon(`s.metadata ->> ${add(key)} = any(${add(values)}::text[])`));
  if (filter.vessel) parts.push(hasTerm(filter.vessel.map((text) => searchTerm.vessel(soughtVessel(text)))));
  if (filter.containerStatus) parts.push(hasTerm(filter.containerStatus.map(searchTerm.container)));
  if (filter.origin) parts.push(placeCondition(add, 'origin', filter.origin));
  if (filter.destination) parts.push(placeCondition(add, 'destination', filter.destination));
  happens('eta', '>=', filter.etaFrom);
  happens('eta', '<=', filter.etaTo);
  happens('departed', '>=', filter.departedFrom);
  happens('departed', '<=', filter.departedTo);
  happens('delivered', '>=', filter.deliveredFrom);
  happens('delivered', '<=', filter.deliveredTo);
  compare('created_at', '>=', filter.createdFrom);
  compare('created_at', '<=', filter.createdTo);
  compare('updated_at', '>=', filter.updatedSince);
  if (filter.hasException !== undefined) parts.push(filter.hasException ? 's.has_exception' : 'not s.has_exception');
  if (filter.needsAttention !== undefined)
    parts.push(filter.needsAttention ? 's.needs_attention' : 'not s.needs_attention');
  if (filter.exception) parts.push(`s.has_exception and s.exception_codes && ${add(filter.exception)}::text[]`);
  if (filter.delayedMinHours !== undefined) parts.push(`s.delay_hours >= ${add(filter.delayedMinHours)}::float8`);
  // Implies "late_from is not null", which the partial index over late shipments asks for.
  if (filter.overdueMinHours !== undefined)
    parts.push(
      `s.overdue_from <= now() - make_interval(hours => ${add(Math.ceil(filter.overdueMinHours))}::integer) and s.late_from is not null`,
    );
  if (filter.late !== undefined)
    parts.push(filter.late ? 's.late_from <= now()' : '(s.late_from <= now()) is not true');
  if (filter.lastFreeDayFrom !== undefined) parts.push(`s.last_free_day >= ${add(filter.lastFreeDayFrom)}::date`);
  if (filter.lastFreeDayTo !== undefined) parts.push(`s.last_free_day <= ${add(filter.lastFreeDayTo)}::date`);
  if (filter.freeTime) {
    parts.push(maybeCommon(`s.free_time_states && ${add(filter.freeTime)}::text[]`));
    // The predicate of an index over few shipments.
    if (filter.freeTime.every((state) => openClockStates.includes(state)))
      parts.push(`s.free_time_states && '{${openClockStates.join(',')}}'`);
  }
  if (filter.hasEvents !== undefined) parts.push(`s.last_event_at is ${filter.hasEvents ? 'not ' : ''}null`);
  const measures = measuresCondition(add, filter);
  if (measures !== null) parts.push(measures);
  const isOfPolling =
    filter.trackingState ?? filter.trackingReason ?? filter.trackingMode ?? filter.freshness ?? filter.stale;
  const tables = isOfPolling === undefined ? 'landfall.shipments as s' : shipmentTables;
  return { text: parts.join('\n        and '), values, add, tables };
}

/**
 * The planner takes such a condition for rare and would sort all of its matches. It takes a third of the rows to pass a
 * comparison of numbers. Where few rows match, the index of words has narrowed them before.
 */
function maybeCommon(condition: string): string {
  return `(${condition})::integer > 0`;
}

/** A single value is an equality: only then does the index order match the list order. */
function amongCondition(add: Condition['add'], column: string, wanted: readonly string[]): string {
  return wanted.length === 1 ? `${column} = ${add(wanted[0])}` : `${column} = any(${add(wanted)}::text[])`;
}

/** A single member is an equality, as for `amongCondition`. */
function assigneeCondition(add: Condition['add'], wanted: readonly string[]): string {
  const ids = wanted.filter((value) => value !== anyoneElse.none && value !== anyoneElse.me);
  const ways = [
    ...(ids.length === 1 ? [`s.assignee_id = ${add(ids[0])}::uuid`] : []),
    ...(ids.length > 1 ? [`s.assignee_id = any(${add(ids)}::uuid[])`] : []),
    ...(wanted.includes(anyoneElse.none) ? ['s.assignee_id is null'] : []),
  ];
  return ways.length === 0 ? 'false' : `(${ways.join(' or ')})`;
}

function numberCondition(add: Condition['add'], key: IdentifierKey | null, wanted: readonly string[]): string {
  const candidates = wanted.flatMap((value) => matchValues(key, value, null).candidates);
  return identifierCondition(add, candidates, key === null ? lookupKeys('auto') : [key]);
}

/** Parts of the search text. `strpos` rather than `like`, so that `%` and `_` are literal. */
function textCondition(add: Condition['add'], filter: ResolvedFilter): string {
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

function placeCondition(add: Condition['add'], end: 'origin' | 'destination', places: readonly PlaceSearch[]): string {
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
