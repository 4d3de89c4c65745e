import type { InputOf } from '#shared/contract/operations.ts';
import { arrivingStatuses } from '#shared/domain/lists/overview-bounds.ts';
import { isSearchable } from '#shared/domain/lists/short-words.ts';
import { listFilters, queryOf } from './list-filters.ts';
import type { ListSearch } from './list-search.ts';

/** A filter and a sort of the API. */
export type Filter = Omit<
  NonNullable<InputOf<'listShipments'>['query']>,
  'limit' | 'cursor' | 'include_total' | 'fields' | 'include'
>;

/**
 * The API lists that make up a list on screen. `leads` are read once, first, and shown on top; `chain` is read page by
 * page, one list after the other. A shipment that is in several of them is shown once, at its first position.
 */
export type ListPlan = { leads: readonly Filter[]; chain: readonly Filter[]; grouped: boolean };

/** Statuses in which a shipment can still move. */
export const openStatuses = [
  'pending',
  'booked',
  'in_transit',
  'arrived',
  'available_for_pickup',
  'out_for_delivery',
] as const;

/** `today` is the current day in the viewer's time zone, as `2026-04-15`. */
export function planOf(search: ListSearch, today: string): ListPlan {
  const base = baseOf(search);
  const sort = search.sort;
  if (search.numbers.length > 0)
    return { leads: [], chain: [{ ...base, identifier: [...search.numbers], sort }], grouped: false };
  if (isSearchable(search.q)) {
    // An exact number is one lookup, in any notation; matches of the text search follow.
    const found = /\d/.test(search.q) ? [{ ...base, identifier: [search.q.replaceAll(',', ' ')] }] : [];
    return { leads: found, chain: [{ ...viewFilter(search, today), q: search.q, sort }], grouped: false };
  }
  const rest = { ...viewFilter(search, today), sort };
  if (search.view !== 'current' || search.status.length > 0) return { leads: [], chain: [rest], grouped: false };
  return { leads: [{ ...base, needs_attention: true, sort }], chain: [rest], grouped: true };
}

/** States of a clock that runs and can be assessed. Those that can't be have a note of their own. */
const openClocks = ['running', 'expiring', 'over'] as const;

/** The filter of one view, for the export, the counts and `rowMatches`. */
export function viewFilter(search: ListSearch, today: string): Filter {
  const base = baseOf(search);
  const open: Filter = search.status.length > 0 ? base : { ...base, status: [...openStatuses] };
  switch (search.view) {
    case 'current':
      return open;
    case 'mine':
      return { ...open, assignee: base.assignee ?? ['me'] };
    case 'late':
      return { ...open, late: true };
    case 'arriving':
      return { ...base, status: base.status ?? [...arrivingStatuses], eta_from: today, eta_to: today };
    case 'exceptions':
      return { ...base, has_exception: true };
    case 'stale': {
      // The view says which data.
      const { freshness: _, ...rest } = base;
      return { ...rest, stale: true };
    }
    case 'archived':
      return { ...base, archived: 'true' };
    case 'needs':
      return { ...base, needs_attention: true };
    case 'free_time':
      return { ...base, free_time: base.free_time ?? [...openClocks] };
    case 'all':
      return base;
    case 'any':
      return { ...base, archived: 'any' };
  }
}

/** The filter of a search without its view. */
export function baseOf(search: ListSearch): Filter {
  const [etaFrom, etaTo] = daysOf(search.eta);
  const [arrivedFrom, arrivedTo] = daysOf(search.arrived);
  const [createdFrom, createdTo] = daysOf(search.registered);
  const days = {
    eta_from: etaFrom,
    eta_to: etaTo,
    arrived_from: arrivedFrom,
    arrived_to: arrivedTo,
    created_from: createdFrom,
    created_to: createdTo,
  };
  return Object.assign(
    {},
    ...listFilters.map((name) => queryOf(name, search[name])),
    Object.fromEntries(Object.entries(days).filter(([, day]) => day !== undefined)),
  );
}

function daysOf(range: string): (string | undefined)[] {
  return range === '' ? [] : range.split('..');
}

/** Seven days from this one, as in the URL of a list. */
export function weekFrom(day: string): string {
  const last = new Date(`${day}T00:00:00`);
  last.setDate(last.getDate() + 6);
  return `${day}..${dayOf(last.getTime())}`;
}

/** The day in the viewer's time zone. */
export function dayOf(now: number): string {
  const date = new Date(now);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
