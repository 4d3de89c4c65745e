import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { WireMap, WireMapShipments } from '#shared/contract/lists/map-wire.ts';
import type { MapGrouping } from '#shared/domain/lists/map-places.ts';
import type { MapView } from '#shared/route-map/world-projection.ts';
import { buttonClasses } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useNow } from '../../parts/hooks/use-now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState, ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { type Circle, circlesOf } from './circles.ts';
import { chosenCircle, circleShipmentsQuery, useGroups } from './map-queries.ts';
import { MapSide } from './map-side.tsx';
import { WorldMap } from './world-map.tsx';

/** `at`: the key of a place. The circle that it is part of is chosen, whatever the zoom. */
type Search = { by?: string; at?: string; center?: string; zoom?: string };

const layouts: readonly { by: MapGrouping; name: string }[] = [
  { by: 'place', name: 'By position' },
  { by: 'destination', name: 'By destination' },
];

/** Shows all current shipments on a world map, with the late and arriving ones beside it. */
export function MapPage() {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const by: MapGrouping = search.by === 'destination' ? 'destination' : 'place';
  const [asked, setAsked] = useState<MapView | null>(null);
  const { data, error, refetch } = useGroups(by, asked);
  const now = useNow();
  const circles = useMemo(() => (data === undefined ? [] : circlesOf(data, now)), [data, now]);
  const at = textOf(search.at);
  const circle = data === undefined || at === '' ? null : chosenCircle(at, data);
  const list = useQuery({ ...circleShipmentsQuery(by, circle), enabled: circle !== null }).data;
  const found = circle === null || list === undefined ? null : list;
  const chosen = useMemo(() => chosenOf(circles, at, found, now), [circles, at, found, now]);
  const view = { center: textOf(search.center), zoom: textOf(search.zoom) };
  const setSearch = useCallback(
    (changes: Search) =>
      navigate({
        to: '.',
        search: ((known: Search) => ({ ...known, ...changes })) as never,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const choose = useCallback((one: Circle | null) => setSearch({ at: one?.key ?? '' }), [setSearch]);
  if (error !== null && data === undefined) return <Broken error={error} retry={() => refetch()} />;
  if (data !== undefined && data.total === 0) return <NothingCurrent />;
  return (
    <div className="flex min-h-full flex-col lg:h-full">
      <PageHead title="Map" count={data === undefined ? <Skeleton className="w-32" /> : countText(data)}>
        {layouts.map(({ by: one, name }) => (
          <Chip key={one} active={by === one} onClick={() => setSearch({ by: one === 'place' ? '' : one, at: '' })}>
            {name}
          </Chip>
        ))}
      </PageHead>
      <div className="min-h-0 flex-1 lg:grid lg:grid-cols-[minmax(0,1fr)_400px]">
        <WorldMap
          circles={circles}
          chosen={chosen}
          ways={found?.ways ?? []}
          choose={choose}
          setAsked={setAsked}
          view={view}
          setView={setSearch}
        />
        <MapSide current={data} by={by} chosen={chosen} asked={circle} unchoose={() => choose(null)} />
      </div>
    </div>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The circle with this key; otherwise the one that the place with this key is in, which may lie outside of the view. */
function chosenOf(circles: readonly Circle[], key: string, list: WireMapShipments | null, now: number): Circle | null {
  if (key === '') return null;
  const own = circles.find((circle) => circle.key === key);
  if (own !== undefined || list?.group == null) return own ?? null;
  const { group, points } = list;
  return circles.find((circle) => circle.key === group.key) ?? circlesOf({ points, groups: [group] }, now)[0] ?? null;
}

function countText({ located, counted, total }: WireMap): string {
  const text = `${located.toLocaleString(numberLocale())} of ${total.toLocaleString(numberLocale())} current shipments on the map`;
  return counted < total ? `${text}, those with the latest events` : text;
}

function Broken({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <>
      <PageHead title="Map" />
      <ProblemNote error={error} retry={retry} className="p-4" />
    </>
  );
}

function NothingCurrent() {
  return (
    <>
      <PageHead title="Map" />
      <EmptyState
        title="No current shipments"
        action={
          <Link to="/add" className={buttonClasses('primary')}>
            Track a shipment
          </Link>
        }
      >
        The map shows every current shipment at its place, or between the place that it left and the next one.
      </EmptyState>
    </>
  );
}
