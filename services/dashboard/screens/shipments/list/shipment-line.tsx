import { useRouter } from '@tanstack/react-router';
import { memo } from 'react';
import { groupIdentifier } from '#shared/domain/words/group-identifier.ts';
import { Icon, type IconName } from '../../../parts/icon.tsx';
import { Identifier } from '../../../parts/identifier.tsx';
import { CardLines } from '../cells/card-lines.tsx';
import { Cell, Seen } from '../cells/cell.tsx';
import { type ColumnKey, columns as listColumns } from '../column-table.ts';
import { freeTimeColumns } from '../columns.ts';
import { freeTimeText } from '../row-words.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import { useChangedAt } from './changed-rows.ts';
import { GridCell, GridRow } from './grid.tsx';

export type LineProps = {
  row: ShipmentRow;
  index: number;
  now: number;
  columns: readonly ColumnKey[];
  /** It no longer matches the list, and stays marked until the list is reloaded. */
  hasLeft: boolean;
  isActive: boolean;
  /** The one row in the tab order. */
  isFocusable: boolean;
  isSelected: boolean;
  select: (id: string, isRange: boolean) => void;
  activate: (id: string) => void;
};

/** The space beside a column, where it has more. */
const paddings = new Map<ColumnKey, string>(
  listColumns.filter(({ className }) => /^p[lr]-/.test(className)).map(({ key, className }) => [key, className]),
);

/** A shipment in the list: one line of 32 px. */
export const ShipmentLine = memo(function ShipmentLine({
  row,
  index,
  now,
  columns,
  hasLeft,
  isActive,
  isFocusable,
  isSelected,
  select,
  activate,
}: LineProps) {
  const label = groupIdentifier(row.number.kind, row.number.value);
  const noteColumn = columns.includes('event') ? 'event' : 'clock';
  return (
    <GridRow
      index={index}
      tabIndex={isFocusable ? 0 : -1}
      data-row={row.id}
      aria-selected={isSelected}
      aria-current={isActive || undefined}
      onClick={() => activate(row.id)}
      className={lineClasses(isActive, isSelected, 'grid h-8 items-center gap-[10px] px-4')}
      style={{ gridTemplateColumns: 'var(--columns)' }}
    >
      <Glow id={row.id} />
      {columns.map((column) => (
        <GridCell
          key={column}
          className={`flex min-w-0 items-center text-t2 ${paddings.get(column) ?? ''} ${hasLeft && column !== noteColumn ? 'opacity-50' : ''}`}
        >
          {column === 'number' && (
            <RowCheckbox
              mode={row.mode}
              isSelected={isSelected}
              select={(isRange) => select(row.id, isRange)}
              label={`Select ${label}`}
            />
          )}
          {column === 'number' ? (
            <ShipmentLink id={row.id}>
              <Cell column={column} row={row} now={now} />
            </ShipmentLink>
          ) : column === noteColumn && hasLeft ? (
            <span className="truncate text-t2 italic">No longer in this list</span>
          ) : (
            <Cell column={column} row={row} now={now} />
          )}
        </GridCell>
      ))}
    </GridRow>
  );
});

/** A shipment in the list on a phone: three lines, 82 px. */
export const ShipmentCard = memo(function ShipmentCard({
  row,
  index,
  now,
  columns,
  hasLeft,
  isActive,
  isFocusable,
  isSelected,
  select,
  activate,
}: LineProps) {
  const label = groupIdentifier(row.number.kind, row.number.value);
  return (
    <GridRow
      index={index}
      tabIndex={isFocusable ? 0 : -1}
      data-row={row.id}
      aria-selected={isSelected}
      onClick={() => activate(row.id)}
      className={lineClasses(isActive, isSelected, 'flex h-[82px] gap-1 px-4 py-2')}
    >
      <Glow id={row.id} />
      <GridCell className="h-[22px]">
        <RowCheckbox
          mode={row.mode}
          isSelected={isSelected}
          select={(isRange) => select(row.id, isRange)}
          label={`Select ${label}`}
        />
      </GridCell>
      <GridCell className={`flex min-w-0 flex-1 flex-col ${hasLeft ? 'opacity-60' : ''}`}>
        <CardLines
          row={row}
          now={now}
          number={
            <ShipmentLink id={row.id}>
              <Identifier kind={row.number.kind} value={row.number.value} className="text-body" />
            </ShipmentLink>
          }
          seen={<Seen row={row} now={now} />}
          freeTime={columns === freeTimeColumns ? freeTimeText(row) : null}
          hasLeft={hasLeft}
        />
      </GridCell>
    </GridRow>
  );
});

function lineClasses(isActive: boolean, isSelected: boolean, layout: string): string {
  const ground =
    isSelected || isActive
      ? 'bg-sel [--ground:var(--sel)]'
      : 'bg-bg [--ground:var(--bg)] hover:bg-hover hover:[--ground:var(--hover)]';
  const edge = isActive ? 'before:absolute before:inset-y-0 before:left-0 before:w-0.5 before:bg-accent' : '';
  return `group/row relative border-line *:[[role=gridcell]]:relative border-b text-body focus-visible:-outline-offset-2 ${layout} ${ground} ${edge}`;
}

/** A plain link: one of the router follows every change of the address, in each line that a scroll draws. */
function ShipmentLink({ id, children }: { id: string; children: React.ReactNode }) {
  const router = useRouter();
  return (
    <a
      href={`/shipments/${id}`}
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation();
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void router.navigate({ to: '/shipments/$shipmentId', params: { shipmentId: id } });
      }}
      className="hover:underline"
    >
      {children}
    </a>
  );
}

/** The glow behind a row that has just changed. */
function Glow({ id }: { id: string }) {
  const changedAt = useChangedAt(id);
  if (changedAt === undefined) return null;
  return <span key={changedAt} aria-hidden="true" className="pointer-events-none absolute inset-0 animate-changed" />;
}

const modes: readonly string[] = ['ocean', 'air', 'road', 'rail', 'parcel'];

type CheckboxProps = { mode: string; isSelected: boolean; select: (isRange: boolean) => void; label: string };

/** The mode of transport; a checkbox on hover and while anything is selected. */
function RowCheckbox({ mode, isSelected, select, label }: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: an input does not report shift-clicks, which select a range
    <span
      role="checkbox"
      tabIndex={-1}
      aria-checked={isSelected}
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation();
        select(event.shiftKey);
      }}
      onKeyDown={(event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        event.stopPropagation();
        select(event.shiftKey);
      }}
      className="group/box -my-1 -ml-2 grid size-8 shrink-0 cursor-pointer place-items-center"
    >
      <span
        className={`text-t2 ${isSelected ? 'hidden' : 'group-hover/row:hidden group-focus-visible/box:hidden group-data-[selecting=true]/list:hidden max-sm:group-hover/row:block'}`}
      >
        <Icon name={modes.includes(mode) ? (mode as IconName) : 'shipments'} size={14} />
      </span>
      <span
        className={`size-3.5 place-items-center rounded-[3px] border ${
          isSelected
            ? 'grid border-accent bg-accent text-on-accent'
            : 'hidden border-t3 group-hover/row:grid group-focus-visible/box:grid group-data-[selecting=true]/list:grid max-sm:group-hover/row:hidden'
        }`}
      >
        {isSelected && <Icon name="check" size={10} />}
      </span>
    </span>
  );
}
