import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
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
import { spotOf } from './place-clusters.ts';
import { WorldMap } from './world-map.tsx';

type Search = { by?: string; at?: string };

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
  const spots = useMemo(() => data?.places.map((place) => spotOf(place, now)) ?? [], [data, now]);
  const chosen = useMemo(
    () => (typeof search.at === 'string' && search.at !== '' ? search.at.split(',') : []),
    [search.at],
  );
  const setSearch = (changes: Search) =>
    navigate({
      to: '.',
      search: ((known: Search) => ({ ...known, ...changes })) as never,
      replace: true,
      resetScroll: false,
    });
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
        <WorldMap spots={spots} chosen={chosen} choose={(keys) => setSearch({ at: keys.join(',') })} />
        <MapSide
          current={data}
          isPending={isPending}
          by={by}
          spots={spots}
          chosen={chosen}
          unchoose={() => setSearch({ at: '' })}
        />
      </div>
    </div>
  );
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
