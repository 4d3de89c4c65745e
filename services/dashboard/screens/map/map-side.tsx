import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { WireMap } from '#shared/contract/lists/map-wire.ts';
import type { MapGrouping } from '#shared/domain/lists/map-places.ts';
import { arrivingStatuses } from '#shared/domain/lists/overview-bounds.ts';
import { IconButton } from '../../parts/button.tsx';
import { useNow } from '../../parts/hooks/use-now.ts';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton, SkeletonRows } from '../../parts/skeleton.tsx';
import { WarningMark } from '../../parts/status-icons.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { dayOf, weekFrom } from '../shipments/list-plan.ts';
import type { Circle } from './circles.ts';
import { MapList } from './map-list.tsx';
import { type ChosenCircle, circleShipmentsQuery, type ListSummary, useListSummary } from './map-queries.ts';

type Props = {
  current: WireMap | undefined;
  by: MapGrouping;
  chosen: Circle | null;
  /** Circle that the user chose; null for none. */
  asked: ChosenCircle | null;
  unchoose: () => void;
};

/** Beside the map: arriving and late shipments, or those of the chosen place. */
export function MapSide({ current, by, chosen, asked, unchoose }: Props) {
  const today = dayOf(useNow());
  const week = useListSummary({ eta: weekFrom(today), status: arrivingStatuses, sort: 'eta' }, today);
  const late = worstFirst(useListSummary({ view: 'late' }, today));
  const [isWithoutShown, setWithoutShown] = useState(false);
  if (current === undefined) {
    return (
      <SkeletonRows
        rows={10}
        cells={['w-32', 'ml-auto w-14']}
        className="h-11 gap-4 border-line border-b px-4"
        label="Loading shipments"
      />
    );
  }
  const without = current.counted - current.located;
  return (
    <aside aria-label="Shipments" className="min-h-0 overflow-y-auto border-line max-lg:border-t lg:border-l">
      <SummaryLine summary={week} label="arriving within 7 days" />
      <SummaryLine summary={late} label="late by a day or more" mark={(late.total ?? 0) > 0} />
      {chosen === null || asked === null ? (
        <>
          <Head>Arriving within 7 days</Head>
          <SummaryList summary={week} empty="No arrivals within 7 days." />
          <Head>Late by a day or more</Head>
          <SummaryList summary={late} empty="No late shipments." />
          {without > 0 && (
            <>
              <Head>
                <button
                  type="button"
                  aria-expanded={isWithoutShown}
                  onClick={() => setWithoutShown(!isWithoutShown)}
                  className="flex w-full items-center gap-2"
                >
                  {without.toLocaleString(numberLocale())} not on the map
                  <span className="font-normal text-label text-t3">no known position</span>
                  <Icon name={isWithoutShown ? 'up' : 'down'} size={14} className="ml-auto text-t3" />
                </button>
              </Head>
              {isWithoutShown && <PlaceList by={by} circle={null} total={without} />}
            </>
          )}
        </>
      ) : (
        <>
          <Head>
            <span className="truncate">
              {chosen.name}
              {chosen.positions > 1 && ` and ${(chosen.positions - 1).toLocaleString(numberLocale())} more`}
            </span>
            <span className="font-normal text-t3 tabular-nums">{chosen.count.toLocaleString(numberLocale())}</span>
            <IconButton icon="close" label="All places" className="-mr-1 ml-auto" onClick={unchoose} />
          </Head>
          <HowKnown circle={chosen} />
          <PlaceList by={by} circle={asked} total={chosen.count} />
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

/** Explains the source of positions that nobody reported. */
function HowKnown({ circle: { positions, note, estimated, approximate, count } }: { circle: Circle }) {
  const share = (part: number) => (part === count ? 'All' : `${part.toLocaleString(numberLocale())} of them`);
  const parts = [
    ...(estimated > 0 ? [`${share(estimated)} are at estimated positions.`] : []),
    ...(approximate > 0 ? [`${share(approximate)} are approximate, based on the city name.`] : []),
  ];
  const words = positions === 1 ? (note ?? '') : parts.join(' ');
  return words === '' ? null : <p className="border-line border-b px-4 py-2 text-label text-t2">{words}</p>;
}

/** The first shipments of the chosen places, by ETA. */
function PlaceList({ by, circle, total }: { by: MapGrouping; circle: ChosenCircle | null; total: number }) {
  const { data: list, error, refetch } = useQuery(circleShipmentsQuery(by, circle));
  if (list !== undefined) {
    const { data, group } = list;
    return <MapList shipments={data} total={Math.max(group?.count ?? total, data.length)} />;
  }
  if (error !== null) return <ProblemNote error={error} retry={() => void refetch()} className="p-4" />;
  return (
    <SkeletonRows
      rows={Math.min(total, 10)}
      cells={['w-32', 'ml-auto w-14']}
      className="h-11 gap-4 border-line border-b px-4"
      label="Loading shipments"
    />
  );
}

function worstFirst(summary: ListSummary): ListSummary {
  return {
    ...summary,
    shipments: summary.shipments?.toSorted((left, right) => lateBy(right) - lateBy(left)),
  };
}

/** Hours past the first promise, by what is known and by the clock. */
function lateBy({ delay_hours: delay, overdue_hours: overdue }: NonNullable<ListSummary['shipments']>[number]): number {
  return (delay ?? 0) + (overdue ?? 0);
}

/** A count that links to its list. */
function SummaryLine({
  summary: { search, total, isBound },
  label,
  mark = false,
}: {
  summary: ListSummary;
  label: string;
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
          {total.toLocaleString(numberLocale())}
          {isBound && '+'}
        </span>
      )}
      {mark && <WarningMark severity="warning" />}
      <span className="text-t2">{label}</span>
      <span className="ml-auto flex items-center gap-1 text-label text-t3">
        Open list <Icon name="right" size={14} />
      </span>
    </Link>
  );
}

/** The first shipments of a summary. */
function SummaryList({
  summary: { search, total, shipments, error, retry },
  empty,
}: {
  summary: ListSummary;
  empty: string;
}) {
  if (error !== null) return <ProblemNote error={error} retry={retry} className="border-line border-b p-4" />;
  if (shipments === undefined) {
    return (
      <p className="border-line border-b px-4 py-3">
        <Skeleton className="w-40" />
      </p>
    );
  }
  if (shipments.length === 0) return <p className="border-line border-b px-4 py-3 text-t2">{empty}</p>;
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
