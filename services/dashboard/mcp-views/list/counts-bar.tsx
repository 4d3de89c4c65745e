import { StatusGlyph } from '../../parts/status-icons.tsx';
import { stageColours } from '../../screens/shipments/filters/stage-bar.tsx';
import { countStages } from '../../screens/shipments/filters/stages.ts';

type Props = {
  counts: Readonly<Record<string, number>>;
  /** Counts are a lower bound. */
  isBound: boolean;
  chosen: readonly string[];
  /** Null: the counts can't be chosen. */
  choose: ((statuses: readonly string[]) => void) | null;
};

/** Shipments by status: one bar, and under it each stage that has some. A stage is a filter. */
export function CountsBar({ counts, isBound, chosen, choose }: Props) {
  const rows = Object.entries(counts).map(([status, count]) => ({ status, count, late: 0 }));
  const stages = countStages(rows).filter(({ count }) => count > 0);
  if (stages.length === 0) return null;
  const Tag = choose === null ? 'span' : 'button';
  return (
    <fieldset className="min-w-0 border-line border-b px-4 pt-3 pb-2">
      <legend className="sr-only">Shipments by status</legend>
      <span aria-hidden="true" className="flex h-2 gap-[2px]">
        {stages.map(({ key, count }) => (
          <span key={key} className={`min-w-2 basis-0 ${stageColours[key]}`} style={{ flexGrow: count }} />
        ))}
      </span>
      <div className="-mx-2 mt-1.5 flex flex-wrap gap-x-1">
        {stages.map(({ key, name, glyph, count, statuses }) => {
          const isChosen = statuses.every((status) => chosen.includes(status));
          return (
            <Tag
              key={key}
              {...(choose !== null && {
                type: 'button',
                'aria-pressed': isChosen,
                onClick: () => choose(isChosen ? [] : statuses),
              })}
              className={`flex h-7 items-center gap-1.5 whitespace-nowrap rounded-control px-2 text-t2 ${choose === null ? '' : 'hover:bg-hover hover:text-t1'} ${isChosen ? 'bg-sel text-t1' : ''}`}
            >
              <StatusGlyph status={glyph} size={12} />
              {name}
              <span className="font-semibold text-t1 tabular-nums">
                {count.toLocaleString('en')}
                {isBound && '+'}
              </span>
            </Tag>
          );
        })}
      </div>
    </fieldset>
  );
}
