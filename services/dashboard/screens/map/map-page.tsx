import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { buttonClasses } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { EmptyState, ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { currentQuery } from './map-queries.ts';
import { MapSide } from './map-side.tsx';
import { type By, spotsOf } from './place-clusters.ts';
import { WorldMap } from './world-map.tsx';

type Search = { by?: string; at?: string };

const layouts: readonly { by: By; name: string }[] = [
  { by: 'place', name: 'By position' },
  { by: 'destination', name: 'By destination' },
];

/** All current shipments on a world map, and the late and arriving ones beside it. */
export function MapPage() {
  const { data, error, isPending, refetch } = useQuery(currentQuery);
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const by: By = search.by === 'destination' ? 'destination' : 'place';
  const { spots, without } = useMemo(() => spotsOf(data?.shipments ?? [], by), [data, by]);
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
  if (data !== undefined && data.shipments.length === 0) return <NothingCurrent />;
  const placed = (data?.shipments.length ?? 0) - without.length;
  return (
    <div className="flex min-h-full flex-col lg:h-full">
      <PageHead title="Map" count={data === undefined ? <Skeleton className="w-32" /> : countText(placed, data)}>
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
          spots={spots}
          without={without}
          chosen={chosen}
          unchoose={() => setSearch({ at: '' })}
        />
      </div>
    </div>
  );
}

function countText(placed: number, { shipments, total }: { shipments: readonly unknown[]; total: number }): string {
  const text = `${placed.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')} current shipments on the map`;
  return shipments.length < total ? `${text}, most recently updated first` : text;
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
        The map shows every current shipment at its last reported place.
      </EmptyState>
    </>
  );
}
