import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { call, ofAccount } from '../../../api/call.ts';
import type { WireCarrier } from '../../../api/wire.ts';
import { Chip } from '../../../parts/chip.tsx';
import { EmptyState, Locked, SectionProblem } from '../../../parts/page-states.tsx';
import { RowSkeletons } from '../../../parts/skeleton.tsx';
import { useAccount } from '../../session/use-session.ts';
import { SectionFrame } from '../section-frame.tsx';
import { AccessPanel } from './access-panel.tsx';
import { AccessTable } from './access-table.tsx';
import { type AccessFilter, accessFilters, accessState, findAccess, trialOf } from './access-words.ts';

type Search = { show?: string | undefined; q?: string | undefined; carrier?: string };

/** With whose credentials each carrier is asked, and whether it takes them. */
export function CarrierAccessSection() {
  const { role } = useAccount();
  const carriers = useQuery(carriersQuery);
  const navigate = useNavigate();
  const { show, q = '', carrier: openCode } = useSearch({ strict: false }) as Search;
  const filter: AccessFilter = accessFilters.find(({ id }) => id === show)?.id ?? 'all';
  const change = (search: Search) =>
    navigate({
      to: '/configuration/$section',
      params: { section: 'carriers' },
      search: {
        show: filter === 'all' ? undefined : filter,
        q,
        ...(openCode === undefined ? {} : { carrier: openCode }),
        ...search,
      },
      replace: true,
    });
  const all = carriers.data ?? [];
  const shown = findAccess(all, { filter, q });
  const open = all.find(({ code }) => code === openCode);
  const close = () => navigate({ to: '/configuration/$section', params: { section: 'carriers' }, search: { show, q } });
  return (
    <SectionFrame
      title="Carrier access"
      count={carriers.data === undefined ? undefined : `${shown.length} of ${all.length} carriers`}
      panel={
        open === undefined ? null : (
          <AccessPanel key={open.code} carrier={open} mayManage={role === 'owner'} close={close} />
        )
      }
    >
      {role !== 'owner' && <Locked>Owners set and remove credentials. You are a {role} of the account.</Locked>}
      <div className="flex min-h-11 flex-wrap items-center gap-1.5 border-line border-b px-4 py-2">
        <input
          type="search"
          aria-label="Find a carrier"
          placeholder="Find a carrier"
          value={q}
          onChange={(event) => change({ q: event.target.value })}
          className="h-7 w-48 rounded-control border border-line2 bg-bg px-2.5 text-body placeholder:text-t3 max-sm:h-8 max-sm:w-full"
        />
        {accessFilters.map(({ id, name }) => {
          const count = id === 'all' ? all.length : all.filter((carrier) => accessState(carrier) === id).length;
          if (count === 0 && id !== 'all' && id !== filter) return null;
          return (
            <Chip
              key={id}
              active={id === filter}
              count={carriers.isSuccess ? count : null}
              onClick={() => change({ show: id === 'all' ? undefined : id })}
            >
              {name}
            </Chip>
          );
        })}
      </div>
      {carriers.isPending && <RowSkeletons label="Loading the carriers" rows={14} />}
      {carriers.isError && <SectionProblem error={carriers.error} retry={() => carriers.refetch()} />}
      {carriers.isSuccess && shown.length === 0 && (
        <EmptyState title="No carrier is like that">Change the text or the filter above.</EmptyState>
      )}
      {shown.length > 0 && <AccessTable carriers={shown} selectedCode={openCode ?? null} />}
    </SectionFrame>
  );
}

/** Credentials are of the account: whoever looks at test shipments sees them too. */
export const carriersQuery = queryOptions({
  queryKey: ['carriers', 'access'],
  queryFn: async () => (await call('listCarriers', {}, ofAccount)).data,
  // Credentials that were just stored are tried within seconds: what the carrier says is shown as it comes.
  refetchInterval: ({ state }) => (state.data?.some(isBeingTried) === true ? 2000 : false),
});

const triedWithinMs = 120_000;

function isBeingTried(carrier: WireCarrier): boolean {
  const { updated_at: setAt } = carrier.credentials;
  return trialOf(carrier)?.outcome === 'not_yet' && setAt !== null && Date.now() - Date.parse(setAt) < triedWithinMs;
}
