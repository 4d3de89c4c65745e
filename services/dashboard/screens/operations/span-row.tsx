import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from '../../parts/icon.tsx';
import type { WireSpan } from './operations-state.ts';
import { tookWords } from './trace-words.ts';
import type { WaterfallRow } from './waterfall-rows.ts';

const indentPx = 14;
const maxIndents = 12;

type Props = {
  row: WaterfallRow;
  /** The positions of the ticks, from 0 to 1. */
  ticks: readonly number[];
  isActive: boolean;
  isClosed: boolean;
  isOpened: boolean;
  toggle: () => void;
  open: () => void;
};

/** One span: its name, indented below its parent, its bar and its duration. A carrier's bar is hatched and outlined. */
export function SpanRow({ row, ticks, isActive, isClosed, isOpened, toggle, open }: Props) {
  const { span, from, width, owner, failed, note, children } = row;
  const hasChildren = children > 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it takes the keys
    <div
      role="treeitem"
      aria-level={span.depth + 1}
      aria-expanded={hasChildren ? !isClosed : undefined}
      aria-selected={isOpened}
      tabIndex={isActive ? 0 : -1}
      data-span={span.span_id}
      onClick={open}
      className={`grid h-[26px] cursor-pointer grid-cols-[minmax(140px,2fr)_3fr_72px] items-center pl-2 outline-offset-[-2px] hover:bg-hover max-sm:grid-cols-[3fr_2fr_64px] ${isOpened ? 'bg-sel' : ''}`}
    >
      <span
        className="flex min-w-0 items-center gap-1 pr-3"
        style={{ paddingLeft: Math.min(span.depth, maxIndents) * indentPx }}
      >
        {!hasChildren && <span className="w-3.5 shrink-0" />}
        {hasChildren && (
          <span
            aria-hidden="true"
            className="grid size-3.5 shrink-0 place-items-center text-t3 hover:text-t1"
            onClick={(event) => {
              event.stopPropagation();
              toggle();
            }}
          >
            <Icon name={isClosed ? 'right' : 'down'} size={10} />
          </span>
        )}
        {failed && <Icon name="close" size={10} className="text-red" />}
        <span className={`truncate ${span.depth === 0 ? 'font-semibold' : ''}`} title={span.name}>
          {span.name} {note !== '' && <span className="font-normal text-t3">{note}</span>}
          <span className="sr-only">
            {failed ? ' failed' : ''}
            {owner === 'carrier' ? ' carrier' : ''}{' '}
          </span>
        </span>
      </span>
      <span aria-hidden="true" className="relative h-full">
        {ticks.map((tick) => (
          <span key={tick} className="absolute inset-y-0 w-px bg-line" style={{ left: `${tick * 100}%` }} />
        ))}
        <span
          className={`absolute top-1/2 h-2 min-w-[2px] -translate-y-1/2 rounded-bar ${barClasses(owner, failed, { isRoot: span.depth === 0, hasChildren })}`}
          style={{ left: `${from * 100}%`, width: `${width * 100}%` }}
        />
      </span>
      <span className="pr-4 text-right text-t2 tabular-nums">{tookWords(span.duration_ms)}</span>
    </div>
  );
}

/** A failure is red on the span that failed, not on its ancestors. */
function barClasses(
  owner: 'ours' | 'carrier',
  failed: boolean,
  { isRoot, hasChildren }: { isRoot: boolean; hasChildren: boolean },
): string {
  if (owner === 'carrier')
    return failed ? 'hatched border border-red bg-red' : 'hatched border border-accent bg-accent';
  if (failed && !hasChildren) return 'bg-red';
  return isRoot ? 'bg-line2' : 'bg-t2';
}

/** Everything that is known of one span. */
export function SpanDetails({ span }: { span: WireSpan }) {
  const facts: [string, ReactNode][] = [
    ['service', span.service],
    ['kind', span.kind],
    ['status', span.status],
    ['starts after', tookWords(span.offset_ms)],
    ['span ID', span.span_id],
    ...Object.entries(span.attributes)
      .toSorted(([left], [right]) => left.localeCompare(right))
      .map(([name, value]): [string, ReactNode] => [name, attribute(name, value)]),
    ...span.links.map(({ trace_id: traceId }): [string, ReactNode] => [
      'linked to',
      <Link
        key={traceId}
        to="/operations/traces/$traceId"
        params={{ traceId }}
        className="text-accent underline-offset-2 hover:underline"
      >
        {traceId}
      </Link>,
    ]),
  ];
  return (
    <dl className="grid grid-cols-[minmax(120px,max-content)_1fr] items-baseline gap-x-4 border-line border-y bg-sunk px-4 py-2 max-sm:grid-cols-[minmax(96px,40%)_1fr] max-sm:gap-x-2">
      {facts.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a link may occur twice, and rows never move
        <div key={`${name} ${index}`} className="contents">
          <dt className="text-t3">{name}</dt>
          <dd className="min-w-0 select-text break-words font-mono text-number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function attribute(name: string, value: string | number | boolean): ReactNode {
  const text = String(value);
  if (name !== 'shipment.id' || !/^shp_[0-9a-z]{26}$/.test(text)) return text;
  return (
    <Link
      to="/operations/traces"
      search={{ shipment: text }}
      className="text-accent underline-offset-2 hover:underline"
    >
      {text}
    </Link>
  );
}
