import { joinList, splitList } from '#shared/contract/input/comma-list.ts';
import { type ListFilter, listFilterOf, listFilters } from './list-filters.ts';

/**
 * The chips; `all` is the list without any of them, `any` has archived ones too. `mine` is assigned to the viewer. `needs`
 * is what needs attention.
 */
export const views = [
  'current',
  'mine',
  'needs',
  'late',
  'exceptions',
  'stale',
  'arriving',
  'free_time',
  'all',
  'any',
  'archived',
] as const;
export type View = (typeof views)[number];

export const sorts = [
  'eta',
  '-eta',
  '-created_at',
  'created_at',
  '-updated_at',
  '-status_changed_at',
  '-last_event_at',
  'last_free_day',
  '-last_free_day',
] as const;
export type Sort = (typeof sorts)[number];

/** Filters by first and last day, as `2026-04-15..2026-04-21`; '' for any. */
export const dayFilters = ['eta', 'arrived', 'registered'] as const;
export type DayFilter = (typeof dayFilters)[number];

/** Everything that narrows a list except its view. */
export type Narrowing = ListFilter | DayFilter | 'q' | 'numbers';

/** The state of the list in the URL. */
export type ListSearch = Record<ListFilter, readonly string[]> &
  Record<DayFilter, string> & {
    view: View;
    /** A number, name or place. */
    q: string;
    /** Several pasted numbers. */
    numbers: readonly string[];
    sort: Sort;
    /** The shipment whose preview is open. */
    peek: string | null;
  };

const maxValues = 50;
const maxSearchChars = 100;
export const minSearchChars = 3;

/** The default order of a view: arriving soonest, free time ending soonest, or newest. */
export function defaultSort(view: View): Sort {
  if (view === 'free_time') return 'last_free_day';
  return view === 'current' || view === 'arriving' ? 'eta' : '-created_at';
}

/** Reads an untrusted URL. Invalid values are dropped. */
export function readListSearch(raw: Readonly<Record<string, unknown>>): ListSearch {
  const view = views.find((name) => name === raw.view) ?? 'current';
  const listed = (name: ListFilter) => {
    const { values, accepts = () => true } = listFilterOf(name);
    return valuesOf(raw[name]).filter((value) => (values?.includes(value) ?? true) && accepts(value));
  };
  const filters = Object.fromEntries(listFilters.map((name) => [name, listed(name)]));
  const days = Object.fromEntries(dayFilters.map((name) => [name, readDays(raw[name])]));
  const q = typeof raw.q === 'string' ? raw.q.trim().slice(0, maxSearchChars) : '';
  return {
    ...(filters as Record<ListFilter, string[]>),
    ...(days as Record<DayFilter, string>),
    view,
    q,
    numbers: valuesOf(raw.numbers),
    sort: sorts.find((name) => name === raw.sort) ?? defaultSort(view),
    peek: typeof raw.peek === 'string' && /^shp_[0-9a-z]{26}$/.test(raw.peek) ? raw.peek : null,
  };
}

/** The URL of a list, without defaults. */
export function writeListSearch(search: ListSearch): Record<string, string> {
  const written: Record<string, string> = {};
  if (search.view !== 'current') written.view = search.view;
  for (const name of listFilters) if (search[name].length > 0) written[name] = joinList(search[name]);
  if (search.q !== '') written.q = search.q;
  if (search.numbers.length > 0) written.numbers = joinList(search.numbers);
  for (const name of dayFilters) if (search[name] !== '') written[name] = search[name];
  if (search.sort !== defaultSort(search.view)) written.sort = search.sort;
  if (search.peek !== null) written.peek = search.peek;
  return written;
}

/** A list without filters. */
export const plainSearch: ListSearch = readListSearch({});

/** The list in another view. The order becomes the default of the view unless the user chose one. */
export function withView(search: ListSearch, view: View): ListSearch {
  const sort = search.sort === defaultSort(search.view) ? defaultSort(view) : search.sort;
  return { ...search, ...(view === 'stale' ? { freshness: [] } : {}), view, sort, peek: null };
}

export function isFiltered(search: ListSearch): boolean {
  return (
    search.q !== '' ||
    dayFilters.some((name) => search[name] !== '') ||
    search.numbers.length > 0 ||
    listFilters.some((name) => search[name].length > 0)
  );
}

/** Everything that narrows the list except its view. */
export function narrowingsOf(search: ListSearch): { name: Narrowing; value: string }[] {
  return [
    ...(search.q === '' ? [] : [{ name: 'q' as const, value: search.q }]),
    ...(search.numbers.length === 0 ? [] : [{ name: 'numbers' as const, value: search.numbers.join(', ') }]),
    ...dayFilters.flatMap((name) => (search[name] === '' ? [] : [{ name, value: search[name] }])),
    ...listFilters.flatMap((name) => search[name].map((value) => ({ name, value }))),
  ];
}

/** The list without one narrowing. */
export function without(search: ListSearch, { name, value }: { name: Narrowing; value: string }): ListSearch {
  if (name === 'eta' || name === 'arrived' || name === 'registered') return { ...search, [name]: '' };
  if (name === 'q') return { ...search, q: '' };
  if (name === 'numbers') return { ...search, numbers: [] };
  return { ...search, [name]: search[name].filter((one) => one !== value) };
}

/** The list with a filter value added, or removed if it was set. */
export function toggled(search: ListSearch, name: ListFilter, value: string): ListSearch {
  const values = search[name];
  return { ...search, [name]: values.includes(value) ? values.filter((one) => one !== value) : [...values, value] };
}

function readDays(raw: unknown): string {
  return typeof raw === 'string' && isDayRange(raw) ? raw : '';
}

function isDayRange(text: string): boolean {
  const days = text.split('..');
  const isDay = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00`));
  return days.length === 2 && days.every(isDay) && (days[0] ?? '') <= (days[1] ?? '');
}

function valuesOf(raw: unknown): string[] {
  const texts = Array.isArray(raw) ? raw : [raw];
  const values = texts.flatMap((text) => (typeof text === 'string' ? splitList(text) : []));
  return [...new Set(values)].slice(0, maxValues);
}
