import { Menu } from '@base-ui/react/menu';
import { Icon } from '../../../parts/icon.tsx';
import { MenuSeparator, menuItemClasses, PopupMenu } from '../../../parts/inputs/menu.tsx';
import { type ColumnKey, columns } from '../column-table.ts';
import { defaultColumns } from '../columns.ts';
import { GridCell, GridRow } from './grid.tsx';

type Props = {
  heads: readonly (typeof columns)[number][];
  chosen: readonly ColumnKey[];
  /** Null: the columns can't be chosen. */
  setColumns: ((columns: readonly ColumnKey[]) => void) | null;
  isHidden: boolean;
  isAllSelected: boolean;
  isAnySelected: boolean;
  selectAll: () => void;
  selectAllLabel: string;
};

/** The sticky head of the list. On a phone it is for screen readers only. */
export function TableHead({
  heads,
  chosen,
  setColumns,
  isHidden,
  isAllSelected,
  isAnySelected,
  selectAll,
  selectAllLabel,
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
      {heads.map(({ key, name, className }, index) => (
        <GridCell key={key} isHead className={`group/head relative flex items-center ${className}`}>
          {key === 'number' && (
            // biome-ignore lint/a11y/useSemanticElements: styled like the checkboxes of the rows
            <button
              type="button"
              role="checkbox"
              aria-checked={isAllSelected ? true : isAnySelected ? 'mixed' : false}
              aria-label={selectAllLabel}
              title={selectAllLabel}
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
          {index === heads.length - 1 && setColumns !== null && (
            <span
              className={`absolute top-1/2 -translate-y-1/2 opacity-0 focus-within:opacity-100 group-hover/list:opacity-100 print:hidden ${key === 'seen' ? 'right-full' : '-right-3 bg-bg'}`}
            >
              <ColumnsMenu shown={chosen} setColumns={setColumns} />
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

type MenuProps = { shown: readonly ColumnKey[]; setColumns: NonNullable<Props['setColumns']> };

function ColumnsMenu({ shown, setColumns }: MenuProps) {
  return (
    <PopupMenu
      isOfList
      label="Columns"
      title="Columns"
      className="inline-flex size-7 items-center justify-center rounded-control text-t2 hover:bg-hover hover:text-t1"
      trigger={<Icon name="columns" size={16} />}
    >
      {columns
        .filter(({ key }) => key !== 'number')
        .map(({ key, name }) => (
          <Menu.CheckboxItem
            key={key}
            checked={shown.includes(key)}
            onCheckedChange={(isShown) => setColumns(isShown ? [...shown, key] : shown.filter((one) => one !== key))}
            className={menuItemClasses}
          >
            {name}
            <Menu.CheckboxItemIndicator className="ml-auto text-accent">
              <Icon name="check" size={12} />
            </Menu.CheckboxItemIndicator>
          </Menu.CheckboxItem>
        ))}
      <MenuSeparator />
      <Menu.Item className={menuItemClasses} onClick={() => setColumns(defaultColumns)}>
        Reset columns
      </Menu.Item>
    </PopupMenu>
  );
}
