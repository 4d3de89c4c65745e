import { type ListFilter, listFilterOf, listFilters } from '../../shipments/list-filters.ts';
import { type ListSearch, plainSearch } from '../../shipments/list-search.ts';

/** A filter as the API has it: the names of the list's query, with arrays for lists. */
export type EndpointFilter = Readonly<Record<string, unknown>>;

/** The lists that the filter menus edit. */
const names = listFilters.filter((name) => listFilterOf(name).isOfEndpoints);

/** Conditions that are on or off. */
export const filterFlags = [
  { name: 'late', text: 'Late' },
  { name: 'has_exception', text: 'Exception' },
  { name: 'needs_attention', text: 'Needs attention' },
  { name: 'stale', text: 'Stale' },
] as const;
export type FilterFlag = (typeof filterFlags)[number]['name'];

/** The filter as the menus of the shipment list show it. */
export function searchOf(filter: EndpointFilter): ListSearch {
  const lists = names.map((name) => [name, textsOf(filter[listFilterOf(name).field])]);
  return { ...plainSearch, ...(Object.fromEntries(lists) as Record<ListFilter, string[]>), view: 'all' };
}

/** The filter with the lists of the menus. Conditions that the menus don't show stay as they are. */
export function withSearch(filter: EndpointFilter, search: ListSearch): EndpointFilter {
  const next: Record<string, unknown> = { ...filter };
  for (const name of names) {
    if (search[name].length > 0) next[listFilterOf(name).field] = [...search[name]];
    else delete next[listFilterOf(name).field];
  }
  return next;
}

export function withFlag(filter: EndpointFilter, flag: FilterFlag, isSet: boolean): EndpointFilter {
  return isSet ? { ...filter, [flag]: true } : withoutCondition(filter, flag);
}

export function withoutCondition(filter: EndpointFilter, name: string): EndpointFilter {
  const { [name]: _before, ...others } = filter;
  return others;
}

/** The conditions that only a program can set or change: `metadata: {"buyer":["acme"]}`. */
export function otherConditions(filter: EndpointFilter): { name: string; text: string }[] {
  const shown = new Set<string>([
    ...names.map((name) => listFilterOf(name).field),
    ...filterFlags.map(({ name }) => name),
  ]);
  return Object.entries(filter)
    .filter(([name, value]) => !shown.has(name) || value === false)
    .map(([name, value]) => ({ name, text: `${name}: ${JSON.stringify(value)}` }));
}

/** A filter without conditions is none. */
export function filterOrNull(filter: EndpointFilter): EndpointFilter | null {
  return Object.keys(filter).length === 0 ? null : filter;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
