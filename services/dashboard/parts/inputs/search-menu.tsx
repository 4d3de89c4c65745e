import { Combobox } from '@base-ui/react/combobox';
import type { ReactNode } from 'react';
import { Icon } from '../icon.tsx';
import { menuItemClasses } from './menu.tsx';

type Props = {
  /** Names the popup and its input. */
  title: string;
  placeholder: string;
  /** Shown where nothing is found. */
  empty: string;
  /** Returns the content beside the check mark of a choice. */
  choice: (value: string) => ReactNode;
  finalFocus?: (() => boolean | HTMLElement) | undefined;
};

/** The popup of a `Combobox.Root`: a search above the choices. It opens from a `Combobox.Trigger`. */
export function SearchMenuPopup({ title, placeholder, empty, choice, finalFocus }: Props) {
  return (
    <Combobox.Portal>
      <Combobox.Positioner align="start" sideOffset={4} className="z-50">
        <Combobox.Popup
          {...(finalFocus === undefined ? {} : { finalFocus })}
          aria-label={title}
          className="w-64 rounded-control border border-line2 bg-bg text-body outline-none"
        >
          <Combobox.Input
            aria-label={title}
            placeholder={placeholder}
            className="h-9 w-full border-line border-b bg-transparent px-3 text-body outline-none placeholder:text-t3"
          />
          <Combobox.Empty>
            <p className="px-3 py-2 text-t3 empty:hidden">{empty}</p>
          </Combobox.Empty>
          <Combobox.List className="max-h-72 overflow-auto py-1 empty:p-0">
            {(value: string) => (
              <Combobox.Item key={value} value={value} className={menuItemClasses}>
                <span className="grid size-4 shrink-0 place-items-center text-accent">
                  <Combobox.ItemIndicator>
                    <Icon name="check" size={12} />
                  </Combobox.ItemIndicator>
                </span>
                {choice(value)}
              </Combobox.Item>
            )}
          </Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}
