import { queryOptions, useQuery } from '@tanstack/react-query';
import { statuses } from '#shared/domain/record/shipment.ts';
import { call } from '../../../api/call.ts';
import { ProblemError } from '../../../api/problem-error.ts';
import { Chip } from '../../../parts/chip.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { ActiveFilters } from '../../shipments/filters/active-filters.tsx';
import { FilterMenu, FilterMenus } from '../../shipments/filters/filter-menus.tsx';
import { rowOf } from '../../shipments/shipment-row.ts';
import {
  type EndpointFilter,
  filterFlags,
  otherConditions,
  searchOf,
  withFlag,
  withoutCondition,
  withSearch,
} from './endpoint-filter.ts';

type Props = { filter: EndpointFilter; change: (filter: EndpointFilter) => void };

/** The filter of the shipment list, and how many shipments it selects now. */
export function FilterFields({ filter, change }: Props) {
  const search = searchOf(filter);
  const suggestions = useQuery(suggestionsQuery);
  const others = otherConditions(filter);
  return (
    <fieldset>
      <legend className="mb-1.5 text-label text-t2">Shipments</legend>
      <div className="flex flex-wrap gap-1.5">
        <FilterMenu
          name="status"
          title="Status"
          options={statuses}
          chosen={search.status}
          choose={(values) => change(withSearch(filter, { ...search, status: values }))}
        />
        <FilterMenus
          isSpread
          search={search}
          rows={suggestions.data ?? []}
          change={(next) => change(withSearch(filter, next))}
        />
        {filterFlags.map(({ name, text }) => (
          <Chip
            key={name}
            active={filter[name] === true}
            onClick={() => change(withFlag(filter, name, filter[name] !== true))}
          >
            {text}
          </Chip>
        ))}
      </div>
      <div className="mt-2 overflow-hidden rounded-control border border-line empty:hidden [&>ul]:border-b-0">
        <ActiveFilters search={search} change={(next) => change(withSearch(filter, next))} />
      </div>
      {others.length > 0 && (
        <ul aria-label="Conditions set over the API" className="mt-2 flex flex-col gap-1">
          {others.map(({ name, text }) => (
            <li key={name} className="flex items-center gap-1">
              <code className="min-w-0 break-all font-mono text-number text-t2">{text}</code>
              <button
                type="button"
                aria-label={`Remove ${name}`}
                title="Remove"
                className="grid size-5 shrink-0 place-items-center rounded-badge text-t2 hover:bg-hover hover:text-t1"
                onClick={() => change(withoutCondition(filter, name))}
              >
                <Icon name="close" size={10} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <MatchNote filter={filter} />
    </fieldset>
  );
}

/** Shows the number of shipments that the filter selects now, so that a filter without matches is noticed. */
function MatchNote({ filter }: { filter: EndpointFilter }) {
  const isPlain = Object.keys(filter).length === 0;
  // Metadata has another form in a query.
  const isCountable = !isPlain && !('metadata' in filter);
  const count = useQuery({ ...countQuery(filter), enabled: isCountable });
  const text = isPlain
    ? 'Changes of all shipments.'
    : !isCountable
      ? 'Changes of shipments that match, as of the change.'
      : count.isError
        ? count.error instanceof ProblemError
          ? count.error.message
          : 'The number of matching shipments is unavailable.'
        : count.data === undefined
          ? 'Counting matching shipments…'
          : matchWords(count.data);
  return (
    <p role="status" className={`mt-2 text-label ${count.data === 0 ? 'text-amber' : 'text-t3'}`}>
      {text}
    </p>
  );
}

function matchWords(count: number): string {
  if (count === 0) return 'No shipment matches now. Changes are delivered as soon as one does.';
  const shipments = count === 1 ? '1 shipment matches' : `${count.toLocaleString(numberLocale())} shipments match`;
  return `${shipments} now. A change is delivered if its shipment matches as of the change.`;
}

function countQuery(filter: EndpointFilter) {
  return queryOptions({
    queryKey: ['webhooks', 'matching', filter],
    queryFn: async ({ signal }) => (await call('countShipments', { query: filter }, { signal })).total,
  });
}

/** Rows whose places and tags the menus suggest. */
const suggestionsQuery = queryOptions({
  queryKey: ['webhooks', 'suggestions'],
  queryFn: async () =>
    (await call('listShipments', { query: { limit: 100 } })).data.map((summary) =>
      rowOf(summary as Parameters<typeof rowOf>[0]),
    ),
  staleTime: 60_000,
});
