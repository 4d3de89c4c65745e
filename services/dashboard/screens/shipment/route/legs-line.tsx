import { useEffect, useRef } from 'react';
import type { WireShipment } from '#shared/contract/shipments/shipment-schemas.ts';
import { type Stop, shareOfTime } from '#shared/route-map/stops.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { spanWords } from '../../../parts/time-words.ts';
import { LegStop, vehicleTitle, vehicleVoyage } from './leg-stop.tsx';

/** The stops as a line, with planned, expected and actual times. It scrolls horizontally when there are many. */
export function LegsLine({ stops, shipment }: { stops: readonly Stop[]; shipment: WireShipment }) {
  const now = useNow();
  const ref = useRef<HTMLElement>(null);
  const here = stops.findLastIndex(({ state }) => state !== 'ahead');
  useEffect(() => {
    const line = ref.current;
    const stop = line?.querySelectorAll('ol > li')[here];
    if (line !== null && stop instanceof HTMLElement)
      line.scrollLeft = Math.max(0, stop.offsetLeft - line.offsetLeft - 120);
  }, [here]);
  return (
    <section
      ref={ref}
      aria-label="Stops"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto border-line border-b px-6 pt-4 pb-4 max-sm:px-4 print:overflow-visible"
    >
      <ol className="flex min-w-full gap-0 stacked:flex-col stacked:gap-4">
        {stops.map((stop, index) => {
          const next = stops[index + 1];
          const isUnderWay = stop.state === 'left' && next?.state === 'ahead';
          return (
            <li
              key={stop.key}
              className={`relative min-w-0 ${next === undefined ? 'shrink-0 sm:min-w-[216px]' : 'sm:min-w-[240px] sm:flex-1'} ${isUnderWay ? 'sm:flex-[2] sm:min-w-[462px]' : ''} stacked:pl-6 print:min-w-0! print:flex-none! print:break-inside-avoid`}
            >
              <Track stop={stop} next={next} now={now} />
              <div className="flex gap-4 pr-4 stacked:flex-col stacked:gap-0">
                <LegStop stop={stop} shipment={shipment} isLast={next === undefined} isUnderWay={isUnderWay} />
                {isUnderWay && <UnderWay stop={stop} now={now} />}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The current vehicle, and the elapsed share of the leg's time. */
function UnderWay({ stop, now }: { stop: Stop; now: number }) {
  const vehicle = stop.onward?.vehicle ?? null;
  const way = stop.onward === null ? null : shareOfTime(stop.onward, now);
  if (vehicle === null && way === null) return null;
  return (
    <div className="min-w-0 flex-1 pt-5 text-label leading-5 stacked:pt-0">
      <p className="truncate font-semibold">{vehicle === null ? 'In transit' : vehicleTitle(vehicle)}</p>
      {vehicle !== null && <p className="truncate text-t2">{vehicleVoyage(vehicle)}</p>}
      {way !== null && (
        <p className="text-t2 tabular-nums">
          {Math.round(way.share * 100)}% of transit time, {spanWords(way.leftMs)} left
        </p>
      )}
    </div>
  );
}

/** The line from this stop to the next, with a ring at the current position. Vertical on a phone. */
function Track({ stop, next, now }: { stop: Stop; next: Stop | undefined; now: number }) {
  const isDone = next !== undefined && next.state !== 'ahead';
  const way =
    stop.onward === null || next?.state !== 'ahead' || stop.state === 'ahead' ? null : shareOfTime(stop.onward, now);
  const share = way === null ? 0 : Math.min(Math.max(way.share, 0.04), 0.96);
  const dot = stop.state === 'ahead' ? 'border-2 border-accent bg-bg' : 'bg-accent';
  return (
    <div
      aria-hidden="true"
      className="relative mb-2 h-2.5 stacked:absolute stacked:top-1 stacked:bottom-[-16px] stacked:left-0 stacked:mb-0 stacked:h-auto stacked:w-2.5"
    >
      {next !== undefined && (
        <>
          <span className="absolute top-1 right-0 left-0 border-accent border-t-2 border-dotted opacity-60 stacked:hidden" />
          <span
            className="absolute top-1 left-0 h-0.5 bg-accent stacked:hidden"
            style={{ width: `${isDone ? 100 : share * 100}%` }}
          />
          <span
            className={`absolute top-0 bottom-0 left-1 hidden border-accent border-l-2 stacked:block ${isDone ? '' : 'border-dotted'}`}
          />
        </>
      )}
      <span className={`absolute top-0 left-0 size-2.5 rounded-full ring-3 ring-bg ${dot}`} />
      {way !== null && (
        <span
          className="absolute -top-px size-3 rounded-full border-2 border-accent bg-bg ring-2 ring-bg stacked:hidden"
          style={{ left: `calc(${share * 100}% - 6px)` }}
        >
          <span className="absolute inset-[2px] rounded-full bg-accent" />
        </span>
      )}
    </div>
  );
}
