import { Link } from '@tanstack/react-router';
import { useMemo, useSyncExternalStore } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { readFeedState, watchFeedState } from '../../../api/feed-state.ts';
import type { WireRefresh } from '../../../api/wire.ts';
import { Facts } from '../../../parts/facts.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { WarningMark } from '../../../parts/status-icons.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { clockWords, dayWords, momentWords, zoneWords } from '../../../parts/time-words.ts';
import { numberLocale } from '../../../parts/words/locale.ts';
import { keepUnits } from '../../../parts/words/measure-words.ts';
import { useSession } from '../../session/use-session.ts';
import { Fact } from '../fact.tsx';
import { useRefreshes } from '../use-shipment.ts';
import { isPushed, silenceWords, type TrackingText } from '../words/pushed-words.ts';
import {
  cadenceWords,
  countRefreshes,
  outageText,
  type RefreshKind,
  refreshBars,
  refreshKind,
  refreshWords,
  sourceWords,
  trackingText,
} from '../words/refresh-words.ts';
import { UnreadableNote } from './unreadable-note.tsx';

const maxRows = 5;

/** Shows the state of tracking, the last refreshes and the next one. */
export function TrackingFact({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const { user } = useSession();
  const refreshes = useRefreshes(shipment);
  const pushed = isPushed(shipment);
  const columns = useMemo(() => {
    const all = columnsOf(now, user.is_operator);
    // A pushed event has no response of a carrier.
    return pushed ? all.filter(({ key }) => key !== 'status' && key !== 'duration') : all;
  }, [now, user.is_operator, pushed]);
  const { tracking } = shipment;
  const { isConnected } = useSyncExternalStore(watchFeedState, readFeedState);
  const { label, text, tone } = isConnected ? trackingText(shipment, now) : outageText(shipment, now);
  const rows = refreshes.data?.data;
  return (
    <Fact title="Tracking" value={[tracking?.state, tracking?.last_changed_at]}>
      <p className="flex items-start gap-2.5">
        <ToneMark tone={tone} />
        <span>
          <strong className="font-semibold">{label}.</strong> {keepUnits(text)}
        </span>
      </p>
      {rows?.[0]?.unreadable && <UnreadableNote shipmentId={shipment.shipment_id} unreadable={rows[0].unreadable} />}
      {pushed && tracking?.last_succeeded_at === null && (
        <p className="mt-1.5 text-label">
          <Link to="/developers" hash="push-events" className="text-accent underline-offset-2 hover:underline">
            How to push events
          </Link>
        </p>
      )}
      {!pushed && rows !== undefined && rows.length > 0 && (
        <div className="mt-2 mb-1.5 flex items-end gap-2">
          <RefreshBars bars={refreshBars(rows)} />
          <span className="ml-auto whitespace-nowrap text-label text-t2 print:whitespace-normal">
            {countRefreshes(rows)}
          </span>
        </div>
      )}
      <Table
        inset
        isFixed
        head="hidden"
        caption={pushed ? 'Last events received' : `Last refreshes from ${shipment.carrier_name}`}
        columns={columns}
        rows={rows?.slice(0, maxRows)}
        rowKey={({ at, trace_id: traceId }) => `${at} ${traceId}`}
        rowClassName={() => 'h-6'}
        skeletonRows={maxRows}
        error={refreshes.error}
        retry={() => refreshes.refetch()}
        empty={<p className="mt-1 text-label text-t3">{pushed ? 'No events received yet.' : 'No refreshes yet.'}</p>}
      />
      {tracking !== null && (
        <Facts
          columns="grid-cols-[112px_minmax(0,1fr)]"
          className="mt-2 gap-y-0.5 text-label leading-5"
          rows={{
            Source: <span title={tracking.source ?? undefined}>{sourceWords(tracking.source)}</span>,
            Refreshes: pushed ? null : (cadenceWords(tracking) ?? 'none scheduled'),
            'Turns stale': pushed ? silenceWords(tracking) : null,
            Failures: pushed ? null : tracking.consecutive_failures === 0 ? (
              'none'
            ) : (
              <span className="text-red">{tracking.consecutive_failures} in a row</span>
            ),
          }}
        />
      )}
    </Fact>
  );
}

const textClasses: Partial<Record<RefreshKind, string>> = { failed: 'text-red', limited: 'text-amber' };

function columnsOf(now: number, isOperator: boolean): Column<WireRefresh>[] {
  return [
    {
      key: 'at',
      name: 'Time',
      className: 'w-[54px] whitespace-nowrap',
      cell: ({ at }) => <RefreshTime at={at} now={now} />,
    },
    {
      key: 'status',
      name: 'Response',
      className: 'w-[30px] whitespace-nowrap',
      cellClassName: (refresh) => `font-mono text-number ${textClasses[refreshKind(refresh)] ?? 'text-t2'}`,
      cell: ({ http_status: status }) => status ?? '–',
    },
    {
      key: 'duration',
      name: 'Duration',
      className: 'w-[70px] whitespace-nowrap text-right',
      cellClassName: 'text-t2',
      cell: ({ duration_ms: durationMs }) => `${Math.round(durationMs).toLocaleString(numberLocale())} ms`,
    },
    {
      key: 'outcome',
      name: 'Outcome',
      cellClassName: (refresh) => {
        const kind = refreshKind(refresh);
        return `truncate pl-3 ${textClasses[kind] ?? (kind === 'changed' ? 'text-t1' : 'text-t2')}`;
      },
      cellTitle: (refresh) => [refreshWords(refresh), refresh.detail].filter((part) => part !== null).join('. '),
      cell: refreshWords,
    },
    {
      key: 'trace',
      name: 'Trace',
      className: 'w-[74px] print:hidden',
      cellClassName: 'whitespace-nowrap pl-2 text-right font-mono text-number text-t3 tracking-[-0.025em]',
      cell: ({ trace_id: traceId, trace_kept: isKept }) =>
        traceId === null ? 'not traced' : <TraceLink id={traceId} isKept={isKept} isLink={isOperator} />,
    },
  ];
}

function RefreshTime({ at, now }: { at: string; now: number }) {
  const words = momentWords(at, { now });
  const day = dayWords(at, null, now);
  const isToday = day === dayWords(new Date(now).toISOString(), null, now);
  return (
    <time dateTime={at} title={`${words} ${zoneWords(at)}`} className="text-t2">
      {isToday ? clockWords(at) : day}
    </time>
  );
}

/** Only operators can open traces, and only those that were kept. */
function TraceLink({ id, isKept, isLink }: { id: string; isKept: boolean; isLink: boolean }) {
  if (!isKept || !isLink) return <span title={isKept ? id : `${id}, not kept`}>{id.slice(0, 8)}</span>;
  return (
    <Link
      to="/operations/traces/$traceId"
      params={{ traceId: id }}
      title={id}
      className="hover:text-accent hover:underline"
    >
      <span className="sr-only">Trace </span>
      {id.slice(0, 8)}
    </Link>
  );
}

function ToneMark({ tone }: { tone: TrackingText['tone'] }) {
  if (tone === 'bad' || tone === 'warning')
    return (
      <span className="mt-[3px]">
        <WarningMark severity={tone === 'bad' ? 'critical' : 'warning'} />
      </span>
    );
  return (
    <span
      aria-hidden="true"
      className={`mt-[7px] size-1.5 shrink-0 ${tone === 'good' ? 'rounded-full bg-green' : 'border border-t3'}`}
    />
  );
}

/**
 * One bar per refresh, oldest first: grey without changes, tall with changes, hatched when rate limited, red when
 * failed. Where there is no room for all, the oldest are cut off.
 */
function RefreshBars({ bars }: { bars: readonly RefreshKind[] }) {
  return (
    <div aria-hidden="true" className="flex h-[18px] min-w-0 items-end justify-end gap-[3px] overflow-hidden">
      {bars.map((kind, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars are identified by their position
        <span key={index} className={`w-1.5 shrink-0 rounded-bar ${barClasses[kind]}`} />
      ))}
    </div>
  );
}

const barClasses: Record<RefreshKind, string> = {
  unchanged: 'h-2 bg-bar',
  changed: 'h-4 bg-accent',
  limited: 'h-3 bg-amber hatched',
  failed: 'h-3 bg-red',
};
