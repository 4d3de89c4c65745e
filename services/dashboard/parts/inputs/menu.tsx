import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { useListFocus } from '../hooks/use-list-focus.ts';
import { Icon } from '../icon.tsx';

const menuClasses =
  'max-h-[min(420px,60vh)] min-w-52 overflow-y-auto rounded-control border border-line2 bg-bg py-1 text-body outline-none';
export const menuItemClasses =
  'flex h-8 cursor-pointer select-none items-center gap-2 px-3 text-t1 outline-none data-[highlighted]:bg-hover data-[disabled]:text-t3';

type Props = {
  /** Content of the button. */
  trigger: ReactNode;
  /** Name of a button that shows no text. */
  label?: string;
  title?: string;
  className: string;
  side?: 'bottom' | 'right';
  align?: 'start' | 'end';
  /** It belongs to the list, which gets the focus when it closes. */
  isOfList?: boolean;
  children: ReactNode;
};

/** A button with a menu. */
export function PopupMenu(props: Props) {
  const { trigger, label, title, className, side = 'bottom', align = 'end', isOfList = false, children } = props;
  const { noteReason, finalFocus } = useListFocus();
  return (
    <Menu.Root onOpenChange={noteReason}>
      <Menu.Trigger aria-label={label} title={title} className={className}>
        {trigger}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner side={side} align={align} sideOffset={side === 'right' ? 8 : 4} className="z-50">
          <Menu.Popup className={menuClasses} {...(isOfList ? { finalFocus } : {})}>
            {children}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

type Choice<Value> = { value: Value; name: ReactNode; note?: ReactNode; label?: string };

/** Choices of which exactly one is set. */
export function MenuChoices<Value extends string>({
  value,
  choose,
  choices,
}: {
  value: Value | null;
  choose: (value: Value) => void;
  choices: readonly Choice<Value>[];
}) {
  return (
    <Menu.RadioGroup value={value} onValueChange={choose}>
      {choices.map(({ value: one, name, note, label }) => (
        <Menu.RadioItem
          key={one}
          value={one}
          {...(label === undefined ? {} : { label })}
          closeOnClick
          className={menuItemClasses}
        >
          {name}
          {note}
          <Menu.RadioItemIndicator className="ml-auto text-accent">
            <Icon name="check" size={12} />
          </Menu.RadioItemIndicator>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

export function MenuSeparator() {
  return <Menu.Separator className="my-1 border-line border-t" />;
}
