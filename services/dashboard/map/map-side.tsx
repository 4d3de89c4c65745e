import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useNow } from '../parts/use-now.ts';
import { WarningMark } from '../parts/warning-mark.tsx';
import { dayOf, weekFrom } from '../shipments/list-plan.ts';
import { MapList } from './map-list.tsx';
import { arrivesThisWeek, isLate, type Spot } from './place-clusters.ts';
import type { Current, MapShipment } from './use-current.ts';

/** Of those the arrival is still to come. */
const underWay = 'pending,booked,in_transit,out_for_delivery';

type Props = {
  current: Current | undefined;
  isPending: boolean;
  spots: readonly Spot[];
  without: readonly MapShipment[];
  chosen: readonly string[];
  unchoose: () => void;
};

/** Beside the map: what arrives and what is late, and the shipments of the place that was chosen. */
export function MapSide({ current, isPending, spots, without, chosen, unchoose }: Props) {
  const now = useNow();
  const [isWithoutShown, setWithoutShown] = useState(false);
  if (isPending || current === undefined) return <SideSkeleton />;
  const chosenSpots = spots.filter(({ key }) => chosen.includes(key));
  const [spot] = chosenSpots.toSorted((left, right) => right.shipments.length - left.shipments.length);
  const inChosen = chosenSpots.flatMap(({ shipments }) => shipments);
  const week = current.shipments.filter((shipment) => arrivesThisWeek(shipment, now)).toSorted(byArrival);
  const late = current.shipments.filter(isLate).toSorted((left, right) => (right.delay_hours ?? 0) - (left.delay_hours ?? 0));
  return (
    <aside aria-label="Shipments" className="min-h-0 overflow-y-auto border-line max-lg:border-t lg:border-l">
      <Answer search={{ eta: weekFrom(dayOf(now)), status: underWay }} count={week.length} words="arriving this week" />
      <Answer search={{ view: 'late' }} count={late.length} words="late by more than a day" mark={late.length > 0} />
      {spot === undefined ? (
        <>
          <Head>Arriving this week</Head>
          {week.length === 0 ? <Nothing>Nothing is expected within seven days.</Nothing> : <MapList shipments={week} />}
          <Head>Late by more than a day</Head>
          {late.length === 0 ? <Nothing>Nothing is late.</Nothing> : <MapList shipments={late} />}
          {without.length > 0 && (
            <>
              <Head>
                <button
                  type="button"
                  aria-expanded={isWithoutShown}
                  onClick={() => setWithoutShown(!isWithoutShown)}
                  className="flex w-full items-center gap-2"
                >
                  {without.length} not on the map
                  <span className="font-normal text-label text-t3">no coordinates known</span>
                  <Icon name={isWithoutShown ? 'up' : 'down'} size={14} className="ml-auto text-t3" />
                </button>
              </Head>
              {isWithoutShown && <MapList shipments={without} />}
            </>
          )}
        </>
      ) : (
        <>
          <Head>
            <span className="truncate">
              {spot.name}
              {chosenSpots.length > 1 && ` and ${chosenSpots.length - 1} more`}
            </span>
            <span className="font-normal text-t3 tabular-nums">{inChosen.length}</span>
            <IconButton icon="close" label="All places" className="-mr-1 ml-auto" onClick={unchoose} />
          </Head>
          <MapList shipments={inChosen.toSorted(byArrival)} />
        </>
      )}
    </aside>
  );
}

type AnswerProps = { search: Record<string, string>; count: number; words: string; mark?: boolean };

function Answer({ search, count, words, mark = false }: AnswerProps) {
  return (
    <Link to="/" search={search as never} className="flex h-11 items-center gap-2.5 border-line border-b px-4 hover:bg-hover">
      <span className="font-semibold text-count tabular-nums tracking-[-0.015em]">{count}</span>
      {mark && <WarningMark severity="warning" />}
      <span className="text-t2">{words}</span>
      <span className="ml-auto flex items-center gap-1 text-label text-t3">
        In the list <Icon name="right" size={14} />
      </span>
    </Link>
  );
}

function Head({ children }: { children: ReactNode }) {
  return <h2 className="flex min-h-10 items-center gap-2 border-line border-b bg-sunk px-4 font-semibold text-section">{children}</h2>;
}

function Nothing({ children }: { children: ReactNode }) {
  return <p className="border-line border-b px-4 py-3 text-t2">{children}</p>;
}

function SideSkeleton() {
  return (
    <div role="status" aria-label="Loading the shipments" className="border-line lg:border-l">
      {Array.from({ length: 10 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of placeholders
        <div key={index} className="flex h-11 items-center gap-4 border-line border-b px-4">
          <Skeleton className="w-32" />
          <Skeleton className="ml-auto w-14" />
        </div>
      ))}
    </div>
  );
}

function byArrival(left: MapShipment, right: MapShipment): number {
  return expectedMs(left) - expectedMs(right);
}

function expectedMs({ arrival }: MapShipment): number {
  const expected = arrival.estimated ?? arrival.planned;
  return expected === null ? Number.MAX_SAFE_INTEGER : Date.parse(expected.at);
}
