import { countedTo, overviewBounds } from '#shared/domain/lists/overview-bounds.ts';
import { StatusGlyph } from '../../../parts/status-icons.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import type { Overview } from '../overview.ts';
import { countStages, type StageCount } from './stages.ts';

/** By the key of the stage. */
export const stageColours: Record<string, string> = {
  pending: 'bg-grey',
  booked: 'bg-grey',
  in_transit: 'bg-accent',
  arrived: 'bg-teal',
  available: 'bg-teal',
  out: 'bg-accent',
  delivered: 'bg-green',
  closed: 'bg-grey',
};

type Props = {
  counts: Overview['statuses'] | undefined;
  /** Counts are a lower bound. */
  isBound?: boolean;
  chosen: readonly string[];
  choose: (statuses: readonly string[]) => void;
};

/** Shipments by status as one bar. Each segment is a filter; its late share is hatched at the right end. */
export function StageBar({ counts, isBound = false, chosen, choose }: Props) {
  if (counts === undefined) return <StageSkeleton />;
  const shown = countStages(counts);
  return (
    <fieldset className="flex h-[88px] min-w-0 shrink-0 flex-col border-line border-b max-sm:h-auto print:hidden">
      <legend className="sr-only">
        Shipments by status. Late means a day or more after the first promise, or after an ETA without a confirmed
        arrival.
      </legend>
      <PhoneBar shown={shown} />
      <div className="flex min-h-0 flex-1 gap-[3px] overflow-x-auto px-4 pt-3 [scrollbar-width:none] max-sm:gap-[18px] max-sm:pt-2 max-sm:pb-2">
        {shown.map((stage, index) => (
          <Segment
            key={stage.key}
            stage={stage}
            isBound={isBound}
            isChosen={stage.statuses.every((status) => chosen.includes(status))}
            end={index === 0 ? 'rounded-l-[2px]' : index === shown.length - 1 ? 'rounded-r-[2px]' : ''}
            choose={choose}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Keeps the height. No names and colours: the widths of the segments are not known yet. */
function StageSkeleton() {
  return (
    <div className="h-[88px] shrink-0 border-line border-b px-4 pt-3 max-sm:h-[91px] print:hidden" aria-hidden="true">
      <div className="mt-[51px] h-2 bg-line max-sm:mt-0" />
    </div>
  );
}

type SegmentProps = {
  stage: StageCount;
  isBound: boolean;
  isChosen: boolean;
  end: string;
  choose: Props['choose'];
};

function Segment({ stage, isBound, isChosen, end, choose }: SegmentProps) {
  const { key, name, glyph, count, late, isClosed, statuses } = stage;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => choose(isChosen ? [] : statuses)}
      // Closed shipments only accumulate: their segments keep the minimum width so that open ones stay readable.
      style={{ flexGrow: isClosed ? 0 : Math.max(count, 1) }}
      className={
        'group flex min-w-[124px] basis-0 max-xl:min-w-[114px] flex-col text-left max-sm:min-w-0! max-sm:shrink-0 ' +
        `max-sm:grow-0! max-sm:basis-auto ${isEarly(key) ? 'max-sm:order-1' : ''}`
      }
    >
      <span className="flex items-center gap-1.5 whitespace-nowrap text-body text-t2 group-hover:text-t1 group-aria-pressed:font-medium group-aria-pressed:text-t1 max-xl:text-label">
        <StatusGlyph status={glyph} size={12} />
        {name}
      </span>
      <span className="mt-0.5 flex h-6 items-baseline gap-1.5 whitespace-nowrap max-sm:h-10 max-sm:flex-col max-sm:gap-0">
        <span className="font-semibold text-count tabular-nums tracking-[-0.015em] max-sm:text-title max-sm:leading-[22px]">
          {count.toLocaleString(numberLocale())}
          {isBound && count > 0 && '+'}
        </span>
        {late > 0 && (
          <span className="text-amber text-label tabular-nums">{countedTo(late, overviewBounds.late)} late</span>
        )}
      </span>
      <span
        className={
          `mt-[7px] flex h-2 w-full max-sm:hidden ${count === 0 ? 'bg-line' : stageColours[key]} ${end} ` +
          `${isChosen ? 'outline-2 outline-accent outline-offset-2' : ''}`
        }
      >
        {late > 0 && (
          <span className="hatched ml-auto h-full" style={{ width: `${Math.max(4, (late / count) * 100)}%` }} />
        )}
      </span>
    </button>
  );
}

/** On a phone the whole bar is above the numbers. */
function PhoneBar({ shown }: { shown: readonly StageCount[] }) {
  return (
    <span aria-hidden="true" className="mx-4 mt-2 hidden h-2 gap-[2px] max-sm:flex">
      {shown.map(({ key, count, late, isClosed }) => (
        <span
          key={key}
          className={`flex min-w-2 ${stageColours[key]}`}
          style={{ flexGrow: isClosed ? Math.min(count, 1) : count }}
        >
          {late > 0 && <span className="hatched ml-auto h-full" style={{ width: `${(late / count) * 100}%` }} />}
        </span>
      ))}
    </span>
  );
}

/** On a phone these come after the shipments in transit. */
function isEarly(key: string): boolean {
  return key === 'pending' || key === 'booked';
}
