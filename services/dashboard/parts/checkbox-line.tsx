import { Checkbox } from '@base-ui/react/checkbox';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

type Props = {
  checked: boolean;
  onChecked: (checked: boolean) => void;
  disabled?: boolean;
  hint?: ReactNode;
  children: ReactNode;
};

/** A box to tick, its words, and what they mean under them. */
export function CheckboxLine({ checked, onChecked, disabled = false, hint, children }: Props) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is the control
    <label className={`flex gap-2.5 ${disabled ? 'text-t3' : 'cursor-pointer'}`}>
      <Checkbox.Root
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChecked}
        className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-badge border border-t3 bg-bg text-on-accent data-[checked]:border-accent data-[checked]:bg-accent data-[disabled]:border-line2"
      >
        <Checkbox.Indicator>
          <Icon name="check" size={12} />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <span>
        <span className="block">{children}</span>
        {hint && <span className="block text-label text-t3">{hint}</span>}
      </span>
    </label>
  );
}
