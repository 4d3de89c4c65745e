import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { arrivingStatuses } from '#shared/domain/shipments/overview-bounds.ts';
import { IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { WarningMark } from '../../parts/marks.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useNow } from '../../parts/use-now.ts';
import { dayOf, weekFrom } from '../shipments/list-plan.ts';
import { MapList } from './map-list.tsx';
import { type Answer, type Current, type MapShipment, useAnswer } from './map-queries.ts';
import type { Spot } from './place-clusters.ts';

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
  const today = dayOf(useNow());
  const week = useAnswer({ eta: weekFrom(today), status: arrivingStatuses, sort: 'eta' }, today);
  const late = worstFirst(useAnswer({ view: 'late' }, today));
  const [isWithoutShown, setWithoutShown] = useState(false);
  if (isPending || current === undefined) return <SideSkeleton />;
  const chosenSpots = spots.filter(({ key }) => chosen.includes(key));
  const [spot] = chosenSpots.toSorted((left, right) => right.shipments.length - left.shipments.length);
  const inChosen = chosenSpots.flatMap(({ shipments }) => shipments);
  return (
    <aside aria-label="Shipments" className="min-h-0 overflow-y-auto border-line max-lg:border-t lg:border-l">
      <AnswerLine answer={week} words="arriving within seven days" />
      <AnswerLine answer={late} words="late by a day or more" mark={(late.total ?? 0) > 0} />
      {spot === undefined ? (
        <>
          <Head>Arriving within seven days</Head>
          <AnswerList answer={week} nothing="Nothing is expected within seven days." />
          <Head>Late by a day or more</Head>
          <AnswerList answer={late} nothing="Nothing is late." />
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

function Head({ children }: { children: ReactNode }) {
  return (
    <h2 className="flex min-h-10 items-center gap-2 border-line border-b bg-sunk px-4 font-semibold text-section">
      {children}
    </h2>
  );
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

function worstFirst(answer: Answer): Answer {
  return {
    ...answer,
    shipments: answer.shipments?.toSorted((left, right) => (right.delay_hours ?? 0) - (left.delay_hours ?? 0)),
  };
}

/** How many, and the way to the list of them. */
export function AnswerLine({
  answer: { search, total, isBound },
  words,
  mark = false,
}: {
  answer: Answer;
  words: string;
  mark?: boolean;
}) {
  return (
    <Link
      to="/"
      search={search as never}
      className="flex h-11 items-center gap-2.5 border-line border-b px-4 hover:bg-hover"
    >
      {total === undefined ? (
        <Skeleton className="w-8" />
      ) : (
        <span className="font-semibold text-count tabular-nums tracking-[-0.015em]">
          {total.toLocaleString('en')}
          {isBound && '+'}
        </span>
      )}
      {mark && <WarningMark severity="warning" />}
      <span className="text-t2">{words}</span>
      <span className="ml-auto flex items-center gap-1 text-label text-t3">
        In the list <Icon name="right" size={14} />
      </span>
    </Link>
  );
}

/** The first of them. */
export function AnswerList({
  answer: { search, total, shipments, error, retry },
  nothing,
}: {
  answer: Answer;
  nothing: string;
}) {
  if (error !== null) return <ProblemNote error={error} retry={retry} className="border-line border-b p-4" />;
  if (shipments === undefined) {
    return (
      <p className="border-line border-b px-4 py-3">
        <Skeleton className="w-40" />
      </p>
    );
  }
  if (shipments.length === 0) return <p className="border-line border-b px-4 py-3 text-t2">{nothing}</p>;
  return (
    <MapList
      shipments={shipments}
      total={Math.max(total ?? 0, shipments.length)}
      rest={
        <>
          {' '}
          <Link to="/" search={search as never} className="text-accent hover:underline">
            in the list
          </Link>
        </>
      }
    />
  );
}
