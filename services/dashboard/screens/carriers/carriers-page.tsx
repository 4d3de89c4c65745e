import { queryOptions, useQuery } from '@tanstack/react-query';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { call } from '../../api/call.ts';
import type { WireCarrier } from '../../api/wire.ts';
import { Chip } from '../../parts/chip.tsx';
import { useSearchState } from '../../parts/hooks/use-search-state.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState } from '../../parts/page-states.tsx';
import { StandingMark } from '../../parts/status-icons.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { modeWords } from '../../parts/words/code-words.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { CarrierPanel } from './carrier-panel.tsx';
import { accessOf, ageWords, durationWords, groupCarriers, shareWords, standingOf } from './carrier-words.ts';

const refetchMs = 15_000;
const lateFromS = 300;

/** Every carrier: whether it can be tracked, with which credentials it is polled, and how it responds. */
export function CarriersPage() {
  const [mode, setMode] = useSearchState('mode');
  const [q, setQ] = useSearchState('q');
  const [code, setCode] = useSearchState('carrier');
  const { data, error, refetch } = useQuery(carriersQuery);
  const found = data?.filter(
    ({ name, code: own, aliases, transport_modes: modes }) =>
      (mode === '' || modes.includes(mode)) &&
      [name, own, ...aliases].some((each) => each.toLowerCase().includes(q.trim().toLowerCase())),
  );
  return (
    <div className="flex h-full">
      <div className="flex min-w-0 flex-1 flex-col overflow-auto">
        <PageHead title="Carriers" count={data?.length.toLocaleString(numberLocale())} />
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
        <Table
          caption="Carriers"
          columns={columnsOf(code, setCode)}
          rows={found}
          groups={groupCarriers(found ?? []).map(({ title, carriers }) => ({
            key: title,
            rows: carriers,
            title: (
              <>
                <span className="font-semibold text-t1">{title}</span>{' '}
                <span className="tabular-nums">{carriers.length}</span>
              </>
            ),
          }))}
          rowKey={(carrier) => carrier.code}
          rowClassName={() => 'h-8 max-md:grid-cols-[1fr_auto]'}
          isSelected={(carrier) => carrier.code === code}
          open={(carrier) => setCode(carrier.code)}
          head="sticky"
          narrow="stacked"
          isFixed
          skeletonRows={14}
          error={error}
          retry={() => void refetch()}
          empty={
            <EmptyState title="No matching carriers">
              No carrier has this name or code{mode === '' ? '' : ' in this mode'}.
            </EmptyState>
          }
        />
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

const carriersQuery = queryOptions({
  queryKey: ['carriers'],
  queryFn: async () => (await call('listCarriers')).data,
  refetchInterval: refetchMs,
});

const none = <span className="text-t3">–</span>;
const number = 'w-20 text-right max-lg:hidden';

function columnsOf(openCode: string, open: (code: string) => void): readonly Column<WireCarrier>[] {
  return [
    {
      key: 'carrier',
      name: 'Carrier',
      skeleton: 'w-40',
      cell: ({ code, name, transport_modes: modes }) => (
        <button
          type="button"
          aria-expanded={code === openCode}
          className="flex max-w-full items-center gap-2 text-left"
          onClick={() => open(code)}
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
      ),
    },
    {
      key: 'state',
      name: 'State',
      className: 'md:w-40 max-md:col-start-1',
      skeleton: 'w-28',
      cell: (carrier) => {
        const { sign, word } = standingOf(carrier);
        return (
          <span className="flex items-center gap-2">
            <StandingMark sign={sign} />
            <span className={sign === 'none' ? 'text-t3' : 'text-t2'}>{word}</span>
          </span>
        );
      },
    },
    {
      key: 'credentials',
      name: 'Credentials',
      className: 'max-md:hidden md:w-28',
      cellClassName: ({ credentials }) => (credentials.state === 'suspended' ? 'text-red' : 'text-t2'),
      cell: ({ connection, credentials }) => (connection === 'pushed_only' ? none : accessOf(credentials)),
    },
    {
      key: 'responded',
      name: 'Last response',
      className: 'md:w-28 max-md:col-start-2 max-md:row-start-1 max-md:text-right',
      cellClassName: 'text-t2',
      cell: ({ health }) => (health.last_success_at === null ? none : <Timestamp at={health.last_success_at} />),
    },
    {
      key: 'success',
      name: 'Success',
      className: number,
      headTitle: 'Successful calls in the last 5 minutes',
      cellClassName: 'tabular-nums',
      cell: ({ service }) => (service?.success_rate == null ? none : shareWords(service.success_rate)),
    },
    {
      key: 'latency',
      name: 'Latency',
      className: number,
      headTitle: 'Median response time',
      cellClassName: 'tabular-nums',
      cell: ({ service }) => (service?.latency_ms == null ? none : durationWords(service.latency_ms)),
    },
    {
      key: 'lag',
      name: 'Oldest due',
      className: number,
      headTitle: 'How long the oldest due refresh has waited',
      cellClassName: 'tabular-nums',
      cell: ({ service }) =>
        service === null ? (
          none
        ) : (
          <span className={service.lag_s > lateFromS ? 'text-amber' : ''}>{ageWords(service.lag_s)}</span>
        ),
    },
    {
      key: 'budget',
      name: 'Calls left',
      className: number,
      headTitle: 'Calls allowed now',
      cellClassName: 'tabular-nums',
      cell: ({ service }) => (service === null ? none : Math.floor(service.budget_left).toLocaleString(numberLocale())),
    },
    {
      key: 'waiting',
      name: 'Waiting',
      className: 'text-right md:w-20 max-md:col-start-2 max-md:row-start-2',
      headTitle: 'Shipments whose last refresh failed or found nothing',
      cellClassName: 'tabular-nums',
      cell: ({ health }) =>
        health.waiting === 0 ? (
          none
        ) : (
          <>
            {health.waiting.toLocaleString(numberLocale())}
            <span className="md:sr-only"> waiting</span>
          </>
        ),
    },
  ];
}
