import { useQuery } from '@tanstack/react-query';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';
import type { WireCarrier } from '../../api/wire.ts';
import { Chip } from '../../parts/chip.tsx';
import { modeWords } from '../../parts/code-words.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { StandingMark } from '../../parts/marks.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState, ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useSearchState } from '../../parts/use-search-state.ts';
import { CarrierPanel } from './carrier-panel.tsx';
import { accessOf, ageWords, durationWords, groupCarriers, shareWords, standingOf } from './carrier-words.ts';
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

const latefromS = 300;

/** One carrier: how it answers, with what it is asked, and how fast. */
export function CarrierRow({ carrier, selected, open }: { carrier: WireCarrier; selected: boolean; open: () => void }) {
  const { code, name, transport_modes: modes, credentials, service, health, supported } = carrier;
  const { sign, word } = standingOf(carrier);
  const none = <span className="text-t3">–</span>;
  return (
    <tr
      className={`h-8 border-line border-b max-md:grid max-md:h-auto max-md:grid-cols-[1fr_auto] max-md:px-4 max-md:py-2.5 ${selected ? 'bg-sel' : 'hover:bg-hover'}`}
      onClick={open}
    >
      <td
        className={`border-l-2 pr-3 pl-3.5 max-md:border-l-0 max-md:pl-0 ${selected ? 'border-accent' : 'border-transparent'}`}
      >
        <button
          type="button"
          aria-expanded={selected}
          className="flex max-w-full items-center gap-2 text-left"
          onClick={open}
        >
          <span className="flex shrink-0 gap-1 text-t2">
            {modes.map((mode) => (
              <Icon key={mode} name={mode as IconName} size={16} />
            ))}
          </span>
          <span className="min-w-0 truncate font-medium" title={name}>
            {name}
          </span>
          <span className="font-mono text-number text-t3">{code}</span>
        </button>
      </td>
      <td className="pr-3 max-md:col-start-1">
        <span className="flex items-center gap-2">
          <StandingMark sign={sign} />
          <span className={sign === 'none' ? 'text-t3' : 'text-t2'}>{word}</span>
        </span>
      </td>
      <td className="pr-3 text-t2 max-md:hidden">
        {supported ? (
          <span className={credentials.state === 'suspended' ? 'text-red' : ''}>{accessOf(credentials)}</span>
        ) : (
          none
        )}
      </td>
      <td className="pr-3 text-t2 max-md:col-start-2 max-md:row-start-1 max-md:pr-0 max-md:text-right">
        {health.last_success_at === null ? none : <Moment at={health.last_success_at} />}
      </td>
      <td className="pr-3 text-right tabular-nums max-lg:hidden">
        {service?.success_rate == null ? none : shareWords(service.success_rate)}
      </td>
      <td className="pr-3 text-right tabular-nums max-lg:hidden">
        {service?.latency_ms == null ? none : durationWords(service.latency_ms)}
      </td>
      <td className="pr-3 text-right tabular-nums max-lg:hidden">
        {service === null ? (
          none
        ) : (
          <span className={service.lag_s > latefromS ? 'text-amber' : ''}>{ageWords(service.lag_s)}</span>
        )}
      </td>
      <td className="pr-3 text-right tabular-nums max-lg:hidden">
        {service === null ? none : Math.floor(service.budget_left).toLocaleString('en')}
      </td>
      <td className="pr-4 text-right tabular-nums max-md:col-start-2 max-md:row-start-2 max-md:pr-0">
        {health.waiting === 0 ? none : health.waiting.toLocaleString('en')}
        {health.waiting > 0 && <span className="md:sr-only"> wait</span>}
      </td>
    </tr>
  );
}
