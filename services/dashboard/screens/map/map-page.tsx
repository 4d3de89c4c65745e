import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { WireMap } from '#shared/contract/shipments/map-wire.ts';
import type { MapGrouping } from '#shared/domain/shipments/map-places.ts';
import { buttonClasses } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useNow } from '../../parts/hooks/use-now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState, ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { placesQuery } from './map-queries.ts';
import { MapSide } from './map-side.tsx';
import { type Cluster, clustersOf } from './place-clusters.ts';
import { spotsOf } from './spots.ts';
import { WorldMap } from './world-map.tsx';
import { projection, viewText } from './world-view.ts';

/** `at`: the key of a place. The circle that it is part of is chosen, whatever the zoom. */
type Search = { by?: string; at?: string; center?: string; zoom?: string };

const layouts: readonly { by: MapGrouping; name: string }[] = [
  { by: 'place', name: 'By position' },
  { by: 'destination', name: 'By destination' },
];

/** Where all current shipments are on a world map, and the late and arriving ones beside it. */
export function MapPage() {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const by: MapGrouping = search.by === 'destination' ? 'destination' : 'place';
  const { data, error, isPending, refetch } = useQuery(placesQuery(by));
  const now = useNow();
  const [level, setLevel] = useState<number | null>(null);
  const spots = useMemo(() => (data === undefined ? [] : spotsOf(data, now)), [data, now]);
  const placed = useMemo(
    () =>
      spots.flatMap((spot) => {
        const [x, y] = projection([spot.at[0], spot.at[1]]) ?? [];
        return x === undefined || y === undefined ? [] : [{ spot, x, y }];
      }),
    [spots],
  );
  const clusters = useMemo(() => (level === null ? [] : clustersOf(placed, level)), [placed, level]);
  const at = textOf(search.at);
  const chosen = useMemo(() => (at === '' ? null : clusterAt(clusters, at)), [clusters, at]);
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
  const choose = useCallback((cluster: Cluster | null) => setSearch({ at: cluster?.key ?? '' }), [setSearch]);
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
          clusters={clusters}
          chosen={chosen}
          choose={choose}
          setLevel={setLevel}
          view={view}
          setView={setSearch}
        />
        <MapSide
          current={data}
          isPending={isPending}
          by={by}
          chosen={chosen}
          unchoose={() => choose(null)}
          zoomTo={({ x, y }) => setSearch(viewText([x, y], (level ?? 1) * 4))}
        />
      </div>
    </div>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The circle with this place. A way whose ETA has changed since is the same way. */
function clusterAt(clusters: readonly Cluster[], key: string): Cluster | null {
  const has = (isIt: (key: string) => boolean) => clusters.find(({ spots }) => spots.some((spot) => isIt(spot.key)));
  const sameWay = `${key.split('~').slice(0, 4).join('~')}~`;
  const isWay = key.split('~').length === 5;
  return has((one) => one === key) ?? (isWay ? has((one) => one.startsWith(sameWay)) : undefined) ?? null;
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
