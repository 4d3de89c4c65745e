import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { countedTo, overviewBounds } from '#shared/domain/lists/overview-bounds.ts';
import { buttonClasses } from '../../../parts/button.tsx';
import { Chip } from '../../../parts/chip.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { lazyPart, OnceOpen } from '../../../parts/lazy-parts.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { countsQuery } from '../list/use-list-counts.ts';
import { viewFilter } from '../list-plan.ts';
import { isFiltered, type ListSearch, narrowingsOf, readListSearch, type View, withView } from '../list-search.ts';
import { viewWords } from '../list-words.ts';
import type { Overview } from '../overview.ts';
import { FilterMenus, type FilterProps } from './filter-menus.tsx';
import { SortMenu } from './list-menus.tsx';
import { countLate, isLateBound } from './stages.ts';
import { ViewsMenu } from './views-menu.tsx';

type Props = FilterProps & { overview: Overview | undefined; canWrite: boolean };

const chipViews: readonly View[] = ['current', 'mine', 'needs', 'late', 'exceptions', 'stale', 'arriving', 'free_time'];

/** Views as chips, the filters, and the actions of the list. */
export function FilterBar(props: Props) {
  const { search, change, overview, rows } = props;
  const navigate = useNavigate();
  const freeTime = useViewCount(freeTimeView, !isFiltered(search));
  const mine = useViewCount(mineView, !isFiltered(search));
  const counts = { ...countsOf(overview), ...freeTime, ...mine };
  const pressed = search.view === 'current' && search.status.length > 0 ? null : search.view;
  return (
    <div className="flex min-h-[45px] shrink-0 items-center gap-2 border-line border-b px-4 max-sm:min-h-12 print:hidden">
      <div className="flex min-w-0 items-center gap-1.5 lg:max-2xl:gap-1 max-lg:overflow-x-auto lg:flex-wrap lg:py-2 max-lg:[scrollbar-width:none]">
        {chipViews.map((view) => (
          <Chip
            key={view}
            active={pressed === view}
            count={isFiltered(search) ? null : (counts[view] ?? 'pending')}
            onClick={() => change(withView({ ...search, status: [] }, pressed === view ? 'all' : view))}
          >
            {viewWords[view]}
          </Chip>
        ))}
        {(search.view === 'archived' || search.view === 'any') && (
          <Chip active onClick={() => change(withView(search, 'current'))}>
            {viewWords[search.view]}
          </Chip>
        )}
        <div className="flex items-center gap-1.5 max-sm:hidden lg:max-2xl:gap-1">
          <span aria-hidden="true" className="mx-0.5 h-4 w-px shrink-0 bg-line2 max-xl:hidden" />
          <FilterMenus search={search} rows={rows} change={change} />
        </div>
      </div>
      <div className="ml-auto flex shrink-0 items-center gap-2 py-2">
        <div className="flex items-center gap-1.5 max-sm:hidden">
          <ViewsMenu search={search} change={change} />
          <SortMenu search={search} change={change} />
          <ExportMenu search={search} total={props.total} />
          <button
            type="button"
            className={`${buttonClasses('primary')} disabled:opacity-50`}
            disabled={!props.canWrite}
            title={props.canWrite ? undefined : 'You have view-only access to this account'}
            onClick={() => navigate({ to: '/add' })}
          >
            <Icon name="plus" size={14} />
            Track
          </button>
        </div>
        <div className="sm:hidden">
          <FilterSheetButton {...props} />
        </div>
      </div>
    </div>
  );
}

const freeTimeView = readListSearch({ view: 'free_time' });
const mineView = readListSearch({ view: 'mine' });

/** The shipments of a view that the overview does not count: running clocks, and those of the viewer. */
function useViewCount(view: ListSearch, isShown: boolean): Partial<Record<View, string>> {
  const { data } = useQuery({ ...countsQuery(viewFilter(view, '')), enabled: isShown, staleTime: 60_000 });
  if (data === undefined) return {};
  return { [view.view]: `${data.total.toLocaleString(numberLocale())}${data.total_is_lower_bound ? '+' : ''}` };
}

function countsOf(overview: Overview | undefined): Partial<Record<View, string>> {
  if (overview === undefined) return {};
  return {
    current: overview.current.toLocaleString(numberLocale()),
    needs: overview.needs_attention.toLocaleString(numberLocale()),
    late: `${countLate(overview.statuses).toLocaleString(numberLocale())}${isLateBound(overview.statuses) ? '+' : ''}`,
    exceptions: overview.exceptions.toLocaleString(numberLocale()),
    stale: countedTo(overview.stale, overviewBounds.stale),
    arriving: countedTo(overview.arriving_today, overviewBounds.arriving),
  };
}

const FilterSheet = lazyPart(async () => (await import('./filter-sheet.tsx')).FilterSheet);

/** Opens the filters on a phone. */
function FilterSheetButton(props: FilterProps) {
  const [isOpen, setOpen] = useState(false);
  const narrowings = narrowingsOf(props.search).length;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={narrowings === 0 ? 'Filters and sort order' : `Filters and sort order, ${narrowings} set`}
        onClick={() => setOpen(true)}
        className={`grid h-[30px] w-8 place-items-center rounded-[15px] border ${narrowings === 0 ? 'border-line2 text-t2' : 'border-accent bg-sel text-accent'}`}
      >
        <Icon name="filter" size={14} />
      </button>
      <OnceOpen isOpen={isOpen}>
        <FilterSheet {...props} isOpen={isOpen} setOpen={setOpen} />
      </OnceOpen>
    </>
  );
}
