import { Icon } from '../parts/icon.tsx';
import type { ColumnKey, columns } from './columns.ts';
import { ColumnsMenu } from './columns-menu.tsx';

type Props = {
  names: readonly (typeof columns)[number][];
  chosen: readonly ColumnKey[];
  setColumns: (columns: readonly ColumnKey[]) => void;
  isHidden: boolean;
  isAllSelected: boolean;
  isAnySelected: boolean;
  selectAll: () => void;
};

/** The names of the columns; stays on top while the list moves. On a phone for screen readers alone. */
export function TableHead({ names, chosen, setColumns, isHidden, isAllSelected, isAnySelected, selectAll }: Props) {
  if (isHidden) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: of the grid around.
      // biome-ignore lint/a11y/useFocusableInteractive: nothing to do here.
      <div role="row" aria-rowindex={1} className="sr-only">
        <span role="columnheader" tabIndex={-1}>
          Select
        </span>
        <span role="columnheader" tabIndex={-1}>
          Shipment
        </span>
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: of the grid around.
    // biome-ignore lint/a11y/useFocusableInteractive: its checkbox takes the focus.
    <div
      role="row"
      aria-rowindex={1}
      className="sticky top-0 z-10 grid h-8 items-center gap-[10px] border-line border-b bg-bg px-4 text-label text-t3 print:static"
      style={{ gridTemplateColumns: 'var(--columns)' }}
    >
      {names.map(({ key, name }) => (
        // biome-ignore lint/a11y/useSemanticElements: of the grid around.
        // biome-ignore lint/a11y/useFocusableInteractive: its checkbox takes the focus.
        <div
          key={key}
          role="columnheader"
          className={`group/head flex items-center ${isAtEnd(key) ? 'justify-end' : ''} ${key === 'event' ? 'pl-2' : ''}`}
        >
          {key === 'number' && (
            <button
              type="button"
              role="checkbox"
              aria-checked={isAllSelected ? true : isAnySelected ? 'mixed' : false}
              aria-label="Select all that are shown"
              title="Select all that are shown"
              onClick={selectAll}
              className={`-ml-2 grid h-8 w-8 place-items-center print:hidden ${isAnySelected ? '' : 'opacity-0 focus-visible:opacity-100 group-hover/head:opacity-100'}`}
            >
              <span
                className={`grid size-3.5 place-items-center rounded-[3px] border ${isAnySelected ? 'border-accent bg-accent text-on-accent' : 'border-t3'}`}
              >
                {isAllSelected && <Icon name="check" size={10} />}
                {!isAllSelected && isAnySelected && <span className="h-px w-2 bg-on-accent" />}
              </span>
            </button>
          )}
          <span className={key === 'number' && !isAnySelected ? '-ml-6 group-focus-within/head:ml-0 group-hover/head:ml-0' : ''}>
            {name}
          </span>
        </div>
      ))}
      <span className="absolute top-0.5 right-14 opacity-0 focus-within:opacity-100 group-hover/list:opacity-100 print:hidden">
        <ColumnsMenu columns={chosen} setColumns={setColumns} />
      </span>
    </div>
  );
}

function isAtEnd(key: string): boolean {
  return key === 'delta' || key === 'seen';
}
