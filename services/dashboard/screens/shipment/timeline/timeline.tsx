import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment, useMemo } from 'react';
import type { WireEvent } from '#shared/contract/shipments/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/shipments/shipment-schemas.ts';
import { call } from '../../../api/call.ts';
import { Button } from '../../../parts/button.tsx';
import { Chip } from '../../../parts/chip.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { momentWords, zoneWords } from '../../../parts/time-words.ts';
import { unitsOf, unitWords } from './event-unit.ts';
import { TimelineRow } from './timeline-row.tsx';
import { countQuiet, eventsOfUnit, nowIndex, timelineRows } from './timeline-rows.ts';
import { UnitChips } from './unit-chips.tsx';

const pageSize = 100;

type Search = { container?: string; piece?: string; replaced?: string };

/** Past and expected events, newest first, with the line "Now" between them. */
export function Timeline({ shipment }: { shipment: WireShipment }) {
  const now = useNow();
  const { replaced, ...search } = useSearch({ strict: false }) as Search;
  const units = unitsOf(shipment);
  const unit = search[units.kind] || null;
  const navigate = useNavigate();
  const setSearch = (changes: Search) =>
    navigate({
      to: '.',
      search: ((search: Search) => ({ ...search, ...changes })) as never,
      replace: true,
      resetScroll: false,
    });
  const { events, more } = useAllEvents(shipment, units.kind === 'container' ? unit : null);
  const chosen = useMemo(() => eventsOfUnit(events, unit), [events, unit]);
  const quietCount = countQuiet(chosen, now);
  const withQuiet = replaced === 'shown';
  const rows = timelineRows(chosen, { now, withQuiet });
  const nowAt = nowIndex(rows, now);
  const nowIso = new Date(now).toISOString();
  return (
    <section aria-labelledby="timeline-title" className="@container">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-6 py-1.5 max-sm:px-4">
        <h2 id="timeline-title" className="font-semibold text-section">
          Timeline
        </h2>
        <span className="text-body text-t3 tabular-nums">
          {shipment.events_count} {shipment.events_count === 1 ? 'event' : 'events'}
        </span>
        <div className="ml-auto flex max-w-full flex-wrap items-center gap-2 print:hidden">
          {quietCount > 0 && (
            <Chip
              active={withQuiet}
              count={quietCount}
              onClick={() => setSearch(withQuiet ? { replaced: '' } : { replaced: 'shown' })}
            >
              Superseded
            </Chip>
          )}
          <UnitChips units={units} chosen={unit} choose={(next) => setSearch({ [units.kind]: next ?? '' })} />
        </div>
      </div>
      {rows.length === 0 ? (
        <p className="px-6 py-6 text-body text-t2 max-sm:px-4">
          {emptyText(shipment, unit && unitWords(units.kind, unit))}
        </p>
      ) : (
        <ol className="pb-4">
          {rows.map((row, index) => (
            <Fragment key={row.key}>
              {index === nowAt && (
                <NowLine words={`${momentWords(nowIso, { now })} ${zoneWords(nowIso)}`} isFirst={index === 0} />
              )}
              <TimelineRow
                row={row}
                shipment={shipment}
                events={events}
                isFirst={index === 0}
                isLast={index === rows.length - 1 && more.isDone}
              />
            </Fragment>
          ))}
          {nowAt === rows.length && (
            <NowLine words={`${momentWords(nowIso, { now })} ${zoneWords(nowIso)}`} isFirst={false} />
          )}
        </ol>
      )}
      {more.error !== null && <ProblemNote error={more.error} retry={more.load} className="px-6 pb-4" />}
      {!more.isDone && more.error === null && (
        <div className="px-6 pb-6 print:hidden max-sm:px-4">
          <Button busy={more.isBusy} onClick={more.load}>
            {more.isBusy ? 'Loading…' : `Show ${Math.max(shipment.events_count - events.length, 1)} earlier events`}
          </Button>
        </div>
      )}
    </section>
  );
}

function NowLine({ words, isFirst }: { words: string; isFirst: boolean }) {
  return (
    <li className="relative grid h-6 grid-cols-[14px_auto_minmax(16px,1fr)] items-center gap-x-2 pr-4 pl-6 text-accent text-label max-sm:pl-4">
      {!isFirst && (
        <span
          aria-hidden="true"
          className="absolute top-0 left-[30.5px] h-3 border-line2 border-l border-dashed max-sm:left-[22.5px]"
        />
      )}
      <span aria-hidden="true" className="relative mx-auto size-[7px] rounded-full bg-accent ring-2 ring-bg" />
      <span className="whitespace-nowrap tabular-nums">Now, {words}</span>
      <span aria-hidden="true" className="ml-1 h-px bg-accent/60" />
    </li>
  );
}

function emptyText(shipment: WireShipment, unit: string | null): string {
  if (unit !== null) return `No events from ${shipment.carrier_name} for ${unit} yet.`;
  return `No events from ${shipment.carrier_name} yet. They appear here as they are reported.`;
}

/** The record contains the newest 50 events. Earlier ones are loaded page by page; for one container, at once. */
function useAllEvents(shipment: WireShipment, container: string | null) {
  // Of a past state, the record has all that is shown: the history is that of now.
  const rest = shipment.as_of === null && shipment.events_count > shipment.events.length;
  const history = useInfiniteQuery({
    queryKey: ['events', shipment.shipment_id, shipment.version],
    enabled: false,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(
        'listShipmentEvents',
        {
          params: { shipment_id: shipment.shipment_id },
          query: { limit: pageSize, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        },
        { signal },
      ),
    getNextPageParam: ({ page }) => page.next_cursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const own = useInfiniteQuery({
    queryKey: ['events', shipment.shipment_id, shipment.version, container],
    enabled: rest && container !== null,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(
        'listShipmentEvents',
        {
          params: { shipment_id: shipment.shipment_id },
          query: { limit: pageSize, container: [container ?? ''], ...(pageParam === '' ? {} : { cursor: pageParam }) },
        },
        { signal },
      ),
    getNextPageParam: ({ page }) => page.next_cursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const events = useMemo(() => {
    const pages = [...(history.data?.pages ?? []), ...(own.data?.pages ?? [])];
    return unique([...shipment.events, ...pages.flatMap(({ data }) => data)]);
  }, [shipment.events, history.data, own.data]);
  return {
    events,
    more: {
      isDone: !rest || (history.data !== undefined && !history.hasNextPage),
      isBusy: history.isFetching || own.isFetching,
      error: history.error ?? own.error,
      load: () => (history.data === undefined ? history.refetch() : history.fetchNextPage()),
    },
  };
}

function unique(events: readonly WireEvent[]): WireEvent[] {
  return [...new Map(events.map((event) => [event.event_id, event])).values()];
}
