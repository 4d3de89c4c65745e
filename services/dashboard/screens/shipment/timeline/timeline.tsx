import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { call } from '../../../api/call.ts';
import { Button } from '../../../parts/button.tsx';
import { Chip } from '../../../parts/chip.tsx';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { EventDetails } from './event-details.tsx';
import { unitsOf, unitWords } from './event-unit.ts';
import { TimelineList } from './timeline-list.tsx';
import { countQuiet, eventsOfUnit, foldIndex, timelineRows } from './timeline-rows.ts';
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
  const [isUnfolded, setUnfolded] = useState(false);
  const foldAt = isUnfolded ? rows.length : foldIndex(rows, now);
  const isFolded = foldAt < rows.length;
  // The button is gone afterwards: the focus goes on with the first event that it showed.
  const section = useRef<HTMLElement>(null);
  const focusAt = useRef<number | null>(null);
  useEffect(() => {
    if (!isUnfolded || focusAt.current === null) return;
    section.current?.querySelectorAll<HTMLElement>('ol > li > button')[focusAt.current]?.focus();
    focusAt.current = null;
  }, [isUnfolded]);
  const unfold = () => {
    focusAt.current = foldAt;
    setUnfolded(true);
  };
  return (
    <section ref={section} aria-labelledby="timeline-title" className="@container">
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
        <TimelineList
          rows={rows}
          shipment={shipment}
          isComplete={more.isDone}
          foldAt={foldAt}
          details={(row) => <EventDetails row={row} shipment={shipment} events={events} />}
        />
      )}
      {isFolded && (
        <div className="px-6 pb-6 lg:hidden print:hidden max-sm:px-4">
          <Button onClick={unfold}>Show earlier events</Button>
        </div>
      )}
      {more.error !== null && <ProblemNote error={more.error} retry={more.load} className="px-6 pb-4" />}
      {!more.isDone && more.error === null && (
        <div className={`px-6 pb-6 print:hidden max-sm:px-4 ${isFolded ? 'max-lg:hidden' : ''}`}>
          <Button busy={more.isBusy} onClick={more.load}>
            {more.isBusy ? 'Loading…' : `Show ${Math.max(shipment.events_count - events.length, 1)} earlier events`}
          </Button>
        </div>
      )}
    </section>
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
