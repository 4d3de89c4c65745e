import type { CSSProperties } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { type Stop, shareOfTime } from '#shared/route-map/stops.ts';
import { useNow } from '../../../parts/hooks/use-now.ts';
import { spanWords } from '../../../parts/time-words.ts';
import { LegStop, vehicleTitle, vehicleVoyage } from './leg-stop.tsx';

/** More stops than this are always listed below each other, those in the middle with their main time alone. */
const maxInRow = 4;

/**
 * The stops as a line, with planned, expected and actual times: in a row where all of them have room, otherwise below
 * each other. Nothing scrolls sideways: the origin and the destination are always in sight.
 */
export function LegsLine({ stops, shipment }: { stops: readonly Stop[]; shipment: WireShipment }) {
  const now = useNow();
  const count = stops.length > maxInRow ? 'many' : Math.max(stops.length, 2);
  return (
    <section
      aria-label="Stops"
      className="border-line border-b px-6 pt-4 pb-4 max-sm:px-4"
      style={{ container: `stops-${count} / inline-size` }}
    >
      <ol className="flex listed:flex-col listed:gap-3.5">
        {stops.map((stop, index) => {
          const next = stops[index + 1];
          const isUnderWay = stop.state === 'left' && next?.state === 'ahead';
          const isBrief = stops.length > maxInRow && index > 0 && next !== undefined && !isUnderWay;
          const hasRoom = isUnderWay && stops.length === 2;
          return (
            <li
              key={stop.key}
              className={`relative min-w-0 listed:flex-none listed:pl-6 print:break-inside-avoid ${hasRoom ? 'flex-[2]' : 'flex-1'}`}
            >
              <Track stop={stop} next={next} now={now} />
              <div className={`flex pr-4 listed:flex-col listed:gap-0 ${hasRoom ? 'gap-4' : 'flex-col'}`}>
                <LegStop
                  stop={stop}
                  shipment={shipment}
                  isLast={next === undefined}
                  isUnderWay={isUnderWay}
                  isBrief={isBrief}
                />
                {isUnderWay && <UnderWay stop={stop} now={now} isBeside={hasRoom} />}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The current vehicle, and the elapsed share of the leg's time. */
function UnderWay({ stop, now, isBeside }: { stop: Stop; now: number; isBeside: boolean }) {
  const vehicle = stop.onward?.vehicle ?? null;
  const way = stop.onward === null ? null : shareOfTime(stop.onward, now);
  if (vehicle === null && way === null) return null;
  return (
    <div
      className={`min-w-0 text-label leading-5 listed:pt-0 @2xl:listed:flex @2xl:listed:flex-wrap @2xl:listed:gap-x-3 @2xl:listed:pl-[226px] ${isBeside ? 'flex-1 pt-5' : ''}`}
    >
      <p className="truncate font-semibold">{vehicle === null ? 'In transit' : vehicleTitle(vehicle)}</p>
      {vehicle !== null && <p className="truncate text-t2">{vehicleVoyage(vehicle)}</p>}
      {way !== null && (
        <p className="whitespace-nowrap text-t2 tabular-nums">
          {Math.round(way.share * 100)}% of transit time, {spanWords(way.leftMs)} left
        </p>
      )}
    </div>
  );
}

/** The line from this stop to the next, with a ring at the current position. Vertical where stops are listed. */
function Track({ stop, next, now }: { stop: Stop; next: Stop | undefined; now: number }) {
  const isDone = next !== undefined && next.state !== 'ahead';
  const way =
    stop.onward === null || next?.state !== 'ahead' || stop.state === 'ahead' ? null : shareOfTime(stop.onward, now);
  const share = way === null ? 0 : Math.min(Math.max(way.share, 0.04), 0.96);
  const done = `${isDone ? 100 : share * 100}%`;
  const dot = stop.state === 'ahead' ? 'border-2 border-accent bg-bg' : 'bg-accent';
  return (
    <div
      aria-hidden="true"
      className="relative mb-2 h-2.5 listed:absolute listed:top-1 listed:bottom-[-18px] listed:left-0 listed:mb-0 listed:h-auto listed:w-2.5"
    >
      {next !== undefined && (
        <>
          <span className="absolute top-1 right-0 left-0 border-accent border-t-2 border-dotted opacity-60 listed:top-0 listed:right-auto listed:bottom-0 listed:left-1 listed:border-t-0 listed:border-l-2" />
          <span className="absolute top-1 left-0 h-0.5 bg-accent listed:hidden" style={{ width: done }} />
          <span className="absolute top-0 left-1 hidden w-0.5 bg-accent listed:block" style={{ height: done }} />
        </>
      )}
      <span className={`absolute top-0 left-0 size-2.5 rounded-full ring-3 ring-bg ${dot}`} />
      {way !== null && (
        <>
          <Ring className="-top-px listed:hidden" style={{ left: `calc(${share * 100}% - 6px)` }} />
          <Ring className="-left-px hidden listed:block" style={{ top: `calc(${share * 100}% - 6px)` }} />
        </>
      )}
    </div>
  );
}

function Ring({ className, style }: { className: string; style: CSSProperties }) {
  return (
    <span
      className={`absolute size-3 rounded-full border-2 border-accent bg-bg ring-2 ring-bg ${className}`}
      style={style}
    >
      <span className="absolute inset-[2px] rounded-full bg-accent" />
    </span>
  );
}
