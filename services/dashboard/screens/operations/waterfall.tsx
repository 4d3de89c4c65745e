import { type KeyboardEvent, useRef, useState } from 'react';
import type { WireTrace } from './operations-state.ts';
import { SpanDetails, SpanRow } from './span-row.tsx';
import { tookWords } from './trace-words.ts';
import { actOfKey, sharesOf, ticksOf, tickWords, waterfallRows } from './waterfall-rows.ts';

/** The spans as a tree, each with a bar. Up and down move, left and right close and open, Enter shows the details. */
export function Waterfall({ trace }: { trace: WireTrace }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState(trace.spans[0]?.span_id ?? '');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const tree = useRef<HTMLDivElement>(null);
  const rows = waterfallRows(trace, closed);
  const ticks = ticksOf(trace.duration_ms);

  const moveTo = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    setActive(row.span.span_id);
    tree.current?.querySelector<HTMLElement>(`[data-span="${row.span.span_id}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Links in the details keep their keys.
    if (!(event.target instanceof HTMLElement) || event.target.role !== 'treeitem') return;
    const at = rows.findIndex(({ span }) => span.span_id === active);
    const key = actOfKey(event.key, rows, { at, isClosed: closed.has(active) });
    if (key === null) return;
    event.preventDefault();
    if (key.act === 'move') moveTo(key.to);
    else if (key.act === 'fold') setClosed(toggled(closed, active));
    else setOpened(toggled(opened, active));
  };

  return (
    <div className="text-label">
      <div
        aria-hidden="true"
        className="grid h-8 grid-cols-[minmax(140px,2fr)_3fr_72px] items-center border-line border-b pl-4 text-t3 max-sm:hidden"
      >
        <span>Span</span>
        <span className="relative h-4">
          {ticks.map((tick, index) => (
            <span
              key={tick}
              className={`absolute whitespace-nowrap text-axis tabular-nums ${index === 0 ? '' : '-translate-x-1/2'}`}
              style={{ left: `${(tick / Math.max(trace.duration_ms, 1e-9)) * 100}%` }}
            >
              {index === 0 ? '0' : tickWords(tick)}
            </span>
          ))}
        </span>
        <span className="pr-4 text-right">Took</span>
      </div>
      <div ref={tree} role="tree" aria-label="Spans" onKeyDown={onKeyDown}>
        {rows.map((row) => (
          <div key={row.span.span_id} role="none">
            <SpanRow
              row={row}
              ticks={ticks.map((tick) => tick / Math.max(trace.duration_ms, 1e-9))}
              isActive={row.span.span_id === active}
              isClosed={closed.has(row.span.span_id)}
              isOpened={opened.has(row.span.span_id)}
              toggle={() => setClosed(toggled(closed, row.span.span_id))}
              open={() => {
                setActive(row.span.span_id);
                setOpened(toggled(opened, row.span.span_id));
              }}
            />
            {opened.has(row.span.span_id) && <SpanDetails span={row.span} />}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The time spent in this installation and at the carrier. */
export function WaterfallLegend({ trace }: { trace: WireTrace }) {
  const { carrierMs, oursMs } = sharesOf(trace);
  return (
    <p className="ml-auto flex items-center gap-4 whitespace-nowrap text-label text-t2 tabular-nums">
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2 rounded-bar bg-t2" />
        Landfall {tookWords(oursMs)}
      </span>
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="hatched size-2 rounded-bar border border-accent bg-accent" />
        carrier {tookWords(carrierMs)}
      </span>
    </p>
  );
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
