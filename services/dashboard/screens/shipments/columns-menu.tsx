import { Menu } from '@base-ui/react/menu';
import { Icon } from '../../parts/icon.tsx';
import { menuClasses, menuItemClasses } from '../../shell/menu-classes.ts';
import { columns as all, type ColumnKey, usualColumns } from './columns.ts';

type Props = { columns: readonly ColumnKey[]; setColumns: (columns: readonly ColumnKey[]) => void };

export function ColumnsMenu({ columns, setColumns }: Props) {
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
