import { useQuery } from '@tanstack/react-query';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { Chip } from '../../parts/chip.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { modeWords } from '../../parts/mode-words.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useSearchState } from '../../parts/use-search-state.ts';
import { CarrierPanel } from './carrier-panel.tsx';
import { CarrierRow } from './carrier-row.tsx';
import { groupCarriers } from './carrier-words.ts';
import { carriersQuery } from './carriers-query.ts';

const heads = [
  { name: 'Carrier', className: 'pl-4' },
  { name: 'State', className: 'md:w-42' },
  { name: 'Credentials', className: 'max-md:hidden md:w-32' },
  { name: 'Last answer', className: 'md:w-26' },
  { name: 'Answered', className: 'w-20 text-right max-lg:hidden', title: 'Of the last five minutes' },
  { name: 'Within', className: 'w-20 text-right max-lg:hidden', title: 'Half of its answers came within this time' },
  {
    name: 'Late by',
    className: 'w-20 text-right max-lg:hidden',
    title: 'How late the classNames are that were due longest',
  },
  { name: 'Budget', className: 'w-18 text-right max-lg:hidden', title: 'Calls that may be made at once now' },
  {
    name: 'Waiting',
    className: 'pr-4! text-right md:w-20',
    title: 'Shipments whose last className found nothing or failed',
  },
];
const skeletonRows = 14;

/** Every carrier: whether it can be followed, with what, and how it answers. */
export function CarriersPage() {
  const [mode, setMode] = useSearchState('mode');
  const [q, setQ] = useSearchState('q');
  const [code, setCode] = useSearchState('carrier');
  const { data, error, refetch } = useQuery(carriersQuery);
  const found = (data ?? []).filter(
    ({ name, code: own, aliases, transport_modes: modes }) =>
      (mode === '' || modes.includes(mode)) &&
      [name, own, ...aliases].some((each) => each.toLowerCase().includes(q.trim().toLowerCase())),
  );
  const groups = groupCarriers(found);
  return (
    <div className="flex h-full">
      <div className="flex min-w-0 flex-1 flex-col overflow-auto">
        <PageHead title="Carriers" count={data?.length.toLocaleString('en')} />
        <search className="flex shrink-0 min-h-[44px] flex-wrap items-center gap-2 border-line border-b px-4 py-2">
          <input
            type="search"
            aria-label="Search carriers by name or code"
            placeholder="Name or code"
            value={q}
            onChange={({ target }) => setQ(target.value)}
            className="h-[26px] w-48 rounded-control border border-line2 bg-bg px-2.5 text-body placeholder:text-t3 max-sm:h-8 max-sm:w-full max-sm:text-[16px]"
          />
          <Chip active={mode === ''} onClick={() => setMode('')}>
            All modes
          </Chip>
          {transportModes.map((each) => (
            <Chip
              key={each}
              active={mode === each}
              count={data?.filter(({ transport_modes: modes }) => modes.includes(each)).length ?? null}
              onClick={() => setMode(mode === each ? '' : each)}
            >
              {modeWords[each]}
            </Chip>
          ))}
        </search>
        {error !== null && (
          <ProblemNote error={error} retry={() => void refetch()} className="border-line border-b px-4 py-3" />
        )}
        {data !== undefined && found.length === 0 ? (
          <EmptyState title="No such carrier">
            Landfall knows none of this name or code{mode === '' ? '' : ' in this mode'}.
          </EmptyState>
        ) : (
          <table className="w-full border-collapse text-body max-md:block md:table-fixed">
            <thead className="sticky top-0 z-10 bg-bg max-md:sr-only">
              <tr className="h-8 border-line border-b text-left text-label text-t3">
                {heads.map(({ name, className, title }) => (
                  <th key={name} scope="col" title={title} className={`pr-3 font-normal ${className}`}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            {data === undefined && error === null && <SkeletonRows />}
            {groups.map((group) => (
              <tbody key={group.title} className="max-md:block">
                <tr className="h-8 border-line border-b bg-sunk max-md:flex max-md:items-center max-md:px-4">
                  <th
                    scope="rowgroup"
                    colSpan={heads.length}
                    className="px-4 text-left font-semibold text-label max-md:px-0"
                  >
                    {group.title} <span className="font-normal text-t3 tabular-nums">{group.carriers.length}</span>
                  </th>
                </tr>
                {group.carriers.map((carrier) => (
                  <CarrierRow
                    key={carrier.code}
                    carrier={carrier}
                    selected={carrier.code === code}
                    open={() => setCode(carrier.code)}
                  />
                ))}
              </tbody>
            ))}
          </table>
        )}
      </div>
      {code !== '' && (
        <CarrierPanel
          key={code}
          code={code}
          known={data?.find((carrier) => carrier.code === code)}
          close={() => setCode('')}
        />
      )}
    </div>
  );
}

function SkeletonRows() {
  return (
    <tbody aria-hidden="true" className="max-md:block">
      {Array.from({ length: skeletonRows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <tr key={row} className="h-8 border-line border-b max-md:flex max-md:h-[61px] max-md:items-center">
          <td className="px-4">
            <Skeleton className="w-40" />
          </td>
          <td colSpan={heads.length - 1} className="max-md:hidden">
            <Skeleton className="w-28" />
          </td>
        </tr>
      ))}
    </tbody>
  );
}
