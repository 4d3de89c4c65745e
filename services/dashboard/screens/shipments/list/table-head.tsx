import { Menu } from '@base-ui/react/menu';
import { GridCell, GridRow } from '../../../parts/grid.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { menuClasses, menuItemClasses } from '../../../parts/menu.ts';
import { columns as all, type ColumnKey, type columns, usualColumns } from './columns.ts';

type Props = {
  names: readonly (typeof columns)[number][];
  chosen: readonly ColumnKey[];
  setColumns: (columns: readonly ColumnKey[]) => void;
  isHidden: boolean;
  isAllSelected: boolean;
  isAnySelected: boolean;
  selectAll: () => void;
  selectAllWords: string;
};

/** The names of the columns; stays on top while the list moves. On a phone for screen readers alone. */
export function TableHead({
  names,
  chosen,
  setColumns,
  isHidden,
  isAllSelected,
  isAnySelected,
  selectAll,
  selectAllWords,
}: Props) {
  if (isHidden) {
    return (
      <GridRow index={1} className="sr-only">
        <GridCell isHead>Select</GridCell>
        <GridCell isHead>Shipment</GridCell>
      </GridRow>
    );
  }
  return (
    <GridRow
      index={1}
      className="sticky top-0 z-10 grid h-8 items-center gap-[10px] border-line border-b bg-bg px-4 text-label text-t3 print:static"
      style={{ gridTemplateColumns: 'var(--columns)' }}
    >
      {names.map(({ key, name }) => (
        <GridCell key={key} isHead className={`group/head relative flex items-center ${placeOf(key)}`}>
          {key === 'number' && (
            // biome-ignore lint/a11y/useSemanticElements: it classNames as those of the rows do.
            <button
              type="button"
              role="checkbox"
              aria-checked={isAllSelected ? true : isAnySelected ? 'mixed' : false}
              aria-label={selectAllWords}
              title={selectAllWords}
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
          {key === 'seen' && (
            <span className="absolute top-1/2 right-full -translate-y-1/2 opacity-0 focus-within:opacity-100 group-hover/list:opacity-100 print:hidden">
              <ColumnsMenu columns={chosen} setColumns={setColumns} />
            </span>
          )}
          <span
            className={
              key === 'number' && !isAnySelected
                ? '-ml-6 group-focus-within/head:ml-0 group-hover/head:ml-0 print:ml-0'
                : ''
            }
          >
            {name}
          </span>
        </GridCell>
      ))}
    </GridRow>
  );
}

function placeOf(key: ColumnKey): string {
  if (key === 'event') return 'pl-2';
  return key === 'delta' || key === 'seen' ? 'justify-end' : '';
}

type MenuProps = { columns: readonly ColumnKey[]; setColumns: (columns: readonly ColumnKey[]) => void };

export function ColumnsMenu({ columns, setColumns }: MenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label="Columns"
        title="Columns"
        className="inline-flex size-7 items-center justify-center rounded-control text-t2 hover:bg-hover hover:text-t1"
      >
        <Icon name="columns" size={16} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className="z-50">
          <Menu.Popup className={menuClasses}>
            {all
              .filter(({ key }) => key !== 'number')
              .map(({ key, name }) => (
                <Menu.CheckboxItem
                  key={key}
                  checked={columns.includes(key)}
                  onCheckedChange={(isShown) =>
                    setColumns(isShown ? [...columns, key] : columns.filter((one) => one !== key))
                  }
                  className={menuItemClasses}
                >
                  {name}
                  <Menu.CheckboxItemIndicator className="ml-auto text-accent">
                    <Icon name="check" size={12} />
                  </Menu.CheckboxItemIndicator>
                </Menu.CheckboxItem>
              ))}
            <Menu.Separator className="my-1 border-line border-t" />
            <Menu.Item className={menuItemClasses} onClick={() => setColumns(usualColumns)}>
              As usual
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
