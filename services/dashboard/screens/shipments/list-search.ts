import { statuses, trackingStates } from '#shared/domain/shipments/shipment.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';

/** The questions that the chips ask; `all` is what is left when none is pressed. */
export const views = ['current', 'needs', 'late', 'exceptions', 'stale', 'arriving', 'all', 'archived'] as const;
export type View = (typeof views)[number];

export const sorts = [
  'eta',
  '-eta',
  '-created_at',
  'created_at',
  '-updated_at',
  '-status_changed_at',
  '-last_event_at',
] as const;
export type Sort = (typeof sorts)[number];

/** The filters that hold several values, of which any may match. */
export const listFilters = ['status', 'mode', 'carrier', 'origin', 'destination', 'tag', 'state'] as const;
export type ListFilter = (typeof listFilters)[number];

/** Everything that can make a list shorter, its view apart. */
export type Narrowing = ListFilter | 'q' | 'numbers' | 'eta';

/** What the address of the list says. */
export type ListSearch = Record<ListFilter, readonly string[]> & {
  view: View;
  /** Any number, name or place. */
  q: string;
  /** Several numbers, pasted at once. */
  numbers: readonly string[];
  /** Arrivals from the first day to the last, as `2026-04-15..2026-04-21` of the viewer; '' for any. */
  eta: string;
  sort: Sort;
  /** The shipment whose preview is open. */
  peek: string | null;
};

const known: Partial<Record<ListFilter, readonly string[]>> = {
  status: statuses,
  mode: transportModes,
  state: trackingStates,
};
const mostValues = 50;
const longestSearch = 100;
export const shortestSearch = 3;

/** The order that answers each question best: what arrives soonest, or what is newest. */
export function usualSort(view: View): Sort {
  return view === 'current' || view === 'arriving' ? 'eta' : '-created_at';
}

/** Reads an address that anybody may have written: what it cannot mean is left out. */
export function readListSearch(raw: Readonly<Record<string, unknown>>): ListSearch {
  const view = views.find((name) => name === raw.view) ?? 'current';
  const listed = (name: ListFilter) => valuesOf(raw[name]).filter((value) => known[name]?.includes(value) ?? true);
  const q = typeof raw.q === 'string' ? raw.q.trim().slice(0, longestSearch) : '';
  return {
    status: listed('status'),
    mode: listed('mode'),
    carrier: listed('carrier'),
    origin: listed('origin'),
    destination: listed('destination'),
    tag: listed('tag'),
    state: listed('state'),
    view,
    q,
    numbers: valuesOf(raw.numbers),
    eta: typeof raw.eta === 'string' && isDayRange(raw.eta) ? raw.eta : '',
    sort: sorts.find((name) => name === raw.sort) ?? usualSort(view),
    peek: typeof raw.peek === 'string' && /^shp_[0-9a-z]{26}$/.test(raw.peek) ? raw.peek : null,
  };
}

/** The address of a list: what is as usual is not written. */
export function writeListSearch(search: ListSearch): Record<string, string> {
  const written: Record<string, string> = {};
  if (search.view !== 'current') written.view = search.view;
  for (const name of listFilters) if (search[name].length > 0) written[name] = search[name].join(',');
  if (search.q !== '') written.q = search.q;
  if (search.numbers.length > 0) written.numbers = search.numbers.join(',');
  if (search.eta !== '') written.eta = search.eta;
  if (search.sort !== usualSort(search.view)) written.sort = search.sort;
  if (search.peek !== null) written.peek = search.peek;
  return written;
}

/** A list without filters. */
export const plainSearch: ListSearch = readListSearch({});

/** The same list asked another question; the order follows the question unless it was chosen. */
export function withView(search: ListSearch, view: View): ListSearch {
  const sort = search.sort === usualSort(search.view) ? usualSort(view) : search.sort;
  return { ...search, view, sort, peek: null };
}

export function isFiltered(search: ListSearch): boolean {
  return (
    search.q !== '' ||
    search.eta !== '' ||
    search.numbers.length > 0 ||
    listFilters.some((name) => search[name].length > 0)
  );
}

/** Everything that narrows the list, the view apart: to show it, and to take it away again. */
export function narrowingsOf(search: ListSearch): { name: Narrowing; value: string }[] {
  return [
    ...(search.q === '' ? [] : [{ name: 'q' as const, value: search.q }]),
    ...(search.numbers.length === 0 ? [] : [{ name: 'numbers' as const, value: search.numbers.join(', ') }]),
    ...(search.eta === '' ? [] : [{ name: 'eta' as const, value: search.eta }]),
    ...listFilters.flatMap((name) => search[name].map((value) => ({ name, value }))),
  ];
}

/** The list without one of its narrowings. */
export function without(search: ListSearch, { name, value }: { name: Narrowing; value: string }): ListSearch {
  if (name === 'eta') return { ...search, eta: '' };
  if (name === 'q') return { ...search, q: '' };
  if (name === 'numbers') return { ...search, numbers: [] };
  return { ...search, [name]: search[name].filter((one) => one !== value) };
}

/** The list with a value added to a filter, or taken away where it was there. */
export function toggled(search: ListSearch, name: ListFilter, value: string): ListSearch {
  const values = search[name];
  return { ...search, [name]: values.includes(value) ? values.filter((one) => one !== value) : [...values, value] };
}

function isDayRange(text: string): boolean {
  const days = text.split('..');
  const isDay = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00`));
  return days.length === 2 && days.every(isDay) && (days[0] ?? '') <= (days[1] ?? '');
}

function valuesOf(raw: unknown): string[] {
  const texts = Array.isArray(raw) ? raw : [raw];
  const values = texts.flatMap((text) => (typeof text === 'string' ? text.split(',') : [])).map((text) => text.trim());
  return [...new Set(values.filter((value) => value !== ''))].slice(0, mostValues);
}
