import { Link } from '@tanstack/react-router';
import type { WireShipment } from '#shared/contract/wire-schemas.ts';
import type { WireRefresh } from '../../../api/wire.ts';
import { WarningMark } from '../../../parts/marks.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { Skeleton } from '../../../parts/skeleton.tsx';
import { momentWords, zoneWords } from '../../../parts/time-words.ts';
import { useNow } from '../../../parts/use-now.ts';
import { useSession } from '../../session/use-session.ts';
import { Fact } from '../fact.tsx';
import { useRefreshes } from '../use-shipment.ts';
import {
  cadenceWords,
  countRefreshes,
  type RefreshKind,
  refreshBars,
  refreshKind,
  refreshWords,
  type Seen,
  seenWords,
} from './refresh-words.ts';

const shownRows = 5;

/** Whether what is shown can be believed: the last refreshes, and when the next one is. */
export function TrackingFact({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const { user } = useSession();
  const refreshes = useRefreshes(shipment);
  const { tracking } = shipment;
  const seen = seenWords(shipment, now);
  const rows = refreshes.data?.data ?? [];
  return (
    <Fact title="Can we see it" value={[tracking?.state, tracking?.last_changed_at]}>
      <p className="flex items-start gap-2.5">
        <SeenMark tone={seen.tone} />
        <span>
          <strong className="font-semibold">{seen.lead}</strong> {seen.rest}
        </span>
      </p>
      {refreshes.isPending && <Skeleton className="mt-3 w-full" />}
      {refreshes.isError && <ProblemNote error={refreshes.error} retry={() => refreshes.refetch()} className="mt-2" />}
      {refreshes.isSuccess && rows.length === 0 && <p className="mt-1 text-label text-t3">No refresh yet.</p>}
      {rows.length > 0 && (
        <>
          <div className="mt-2 flex items-end gap-2">
            <RefreshBars bars={refreshBars(rows)} />
            <span className="ml-auto whitespace-nowrap text-label text-t2">{countRefreshes(rows)}</span>
          </div>
          <table className="mt-1.5 w-full table-fixed text-label tabular-nums">
            <caption className="sr-only">The last refreshes of {shipment.carrier_name}</caption>
            <colgroup>
              <col className="w-12" />
              <col className="w-9" />
              <col className="w-[62px]" />
              <col />
              <col className="w-[74px] print:hidden" />
            </colgroup>
            <thead className="sr-only">
              <tr>
                <th scope="col">When</th>
                <th scope="col">Answer</th>
                <th scope="col">Took</th>
                <th scope="col">Outcome</th>
                <th scope="col" className="print:hidden">
                  Trace
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shownRows).map((refresh) => (
                <RefreshRow
                  key={`${refresh.at} ${refresh.trace_id}`}
                  refresh={refresh}
                  now={now}
                  isOperator={user.is_operator}
                />
              ))}
            </tbody>
          </table>
        </>
      )}
      {tracking !== null && (
        <dl className="mt-2 grid grid-cols-[112px_minmax(0,1fr)] gap-y-0.5 text-label leading-5">
          <dt className="text-t3">Source</dt>
          <dd className="truncate font-mono">{tracking.source ?? 'none yet'}</dd>
          <dt className="text-t3">Refreshes</dt>
          <dd>{cadenceWords(tracking) ?? 'none planned'}</dd>
          <dt className="text-t3">Failures</dt>
          <dd className={tracking.consecutive_failures > 0 ? 'text-red' : ''}>
            {tracking.consecutive_failures === 0 ? 'none in a row' : `${tracking.consecutive_failures} in a row`}
          </dd>
        </dl>
      )}
    </Fact>
  );
}

function RefreshRow({ refresh, now, isOperator }: { refresh: WireRefresh; now: number; isOperator: boolean }) {
  const kind = refreshKind(refresh);
  const words = momentWords(refresh.at, { now });
  const isToday = words.slice(0, -6) === momentWords(new Date(now).toISOString(), { now }).slice(0, -6);
  return (
    <tr className="h-6">
      <td className="text-t2">
        <time dateTime={refresh.at} title={`${words} ${zoneWords(refresh.at)}`}>
          {isToday ? words.slice(-5) : words.slice(0, -6)}
        </time>
      </td>
      <td
        className={`font-mono text-number ${kind === 'failed' ? 'text-red' : kind === 'slowed' ? 'text-amber' : 'text-t2'}`}
      >
        {refresh.http_status ?? '–'}
      </td>
      <td className="text-right text-t2">{Math.round(refresh.duration_ms).toLocaleString('en-GB')} ms</td>
      <td
        className={`truncate pl-3 ${kind === 'failed' ? 'text-red' : kind === 'slowed' ? 'text-amber' : kind === 'news' ? 'text-t1' : 'text-t2'}`}
        title={refreshWords(refresh)}
      >
        {refreshWords(refresh)}
      </td>
      <td className="whitespace-nowrap pl-2 text-right font-mono print:hidden text-number tracking-[-0.025em]">
        {refresh.trace_id === null ? (
          <span className="text-t3">not traced</span>
        ) : isOperator ? (
          <Link
            to="/operations/traces/$traceId"
            params={{ traceId: refresh.trace_id }}
            aria-label={`Trace ${refresh.trace_id}`}
            className="text-t3 hover:text-accent hover:underline"
          >
            {refresh.trace_id.slice(0, 8)}
          </Link>
        ) : (
          <span className="text-t3" title={refresh.trace_id}>
            {refresh.trace_id.slice(0, 8)}
          </span>
        )}
      </td>
    </tr>
  );
}

function SeenMark({ tone }: { tone: Seen['tone'] }) {
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

/** One bar per refresh, oldest first: low and grey without news, tall with news, hatched when slowed down, red when it failed. */
export function RefreshBars({ bars }: { bars: readonly RefreshKind[] }) {
  return (
    <div aria-hidden="true" className="flex h-[18px] min-w-0 items-end gap-[3px] overflow-hidden">
      {bars.map((kind, index) => (
        // Bars have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <span key={index} className={`w-1.5 shrink-0 rounded-bar ${barClasses[kind]}`} />
      ))}
    </div>
  );
}

const barClasses: Record<RefreshKind, string> = {
  quiet: 'h-2 bg-bar',
  news: 'h-4 bg-accent',
  slowed: 'h-3 bg-amber hatched',
  failed: 'h-3 bg-red',
};
