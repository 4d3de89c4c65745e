import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { call, ofAccount } from '../../../api/call.ts';
import type { WireCarrier } from '../../../api/wire.ts';
import { Chip } from '../../../parts/chip.tsx';
import { Locked } from '../../../parts/page-states.tsx';
import { useAccount } from '../../session/use-session.ts';
import { SectionFrame } from '../section-frame.tsx';
import { AccessPanel } from './access-panel.tsx';
import { AccessTable } from './access-table.tsx';
import { type AccessFilter, accessFilters, accessState, findAccess, trialOf } from './access-words.ts';

type Search = { show?: string | undefined; q?: string | undefined; carrier?: string };

/** The credentials that each carrier is polled with, and whether the carrier accepts them. */
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
      {role !== 'owner' && <Locked>Only owners can set and remove credentials. Your role is {role}.</Locked>}
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
      <AccessTable
        carriers={carriers.data === undefined ? undefined : shown}
        selectedCode={openCode ?? null}
        error={carriers.error}
        retry={() => carriers.refetch()}
      />
    </SectionFrame>
  );
}

const trialRefetchMs = 2000;

const carriersQuery = queryOptions({
  queryKey: ['carriers', 'access'],
  queryFn: async () => (await call('listCarriers', {}, ofAccount)).data,
  // New credentials are tried within seconds; the result is shown as soon as it is known.
  refetchInterval: ({ state }) => (state.data?.some(isOnTrial) === true ? trialRefetchMs : false),
});

const maxTrialMs = 120_000;

function isOnTrial(carrier: WireCarrier): boolean {
  const { updated_at: setAt } = carrier.credentials;
  return trialOf(carrier)?.outcome === 'not_yet' && setAt !== null && Date.now() - Date.parse(setAt) < maxTrialMs;
}
