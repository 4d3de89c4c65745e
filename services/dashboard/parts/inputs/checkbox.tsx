import { Checkbox as Base } from '@base-ui/react/checkbox';
import type { ReactNode } from 'react';
import { Icon } from '../icon.tsx';

const boxClasses =
  'grid size-4 shrink-0 place-items-center rounded-badge border border-t3 bg-bg text-on-accent data-[checked]:border-accent data-[checked]:bg-accent data-[disabled]:border-line2 data-[indeterminate]:border-accent data-[indeterminate]:bg-accent';

type Props = {
  label: string;
  checked: boolean;
  indeterminate?: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
};

/** A checkbox without visible text; `label` is its accessible name. */
export function Checkbox({ label, checked, indeterminate = false, disabled = false, onChange }: Props) {
  return (
    <Base.Root
      aria-label={label}
      checked={checked}
      indeterminate={indeterminate}
      disabled={disabled}
      onCheckedChange={onChange}
      className={boxClasses}
    >
      <Base.Indicator className="grid place-items-center">
        {indeterminate ? <span className="h-0.5 w-2 bg-on-accent" /> : <Icon name="check" size={12} />}
      </Base.Indicator>
    </Base.Root>
  );
}

type LineProps = {
  checked: boolean;
  onChecked: (checked: boolean) => void;
  disabled?: boolean;
  hint?: ReactNode;
  children: ReactNode;
};

/** A checkbox with its text beside it and an optional hint below. */
export function CheckboxLine({ checked, onChecked, disabled = false, hint, children }: LineProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is the control
    <label className={`flex gap-2.5 ${disabled ? 'text-t3' : 'cursor-pointer'}`}>
      <Base.Root checked={checked} disabled={disabled} onCheckedChange={onChecked} className={`mt-0.5 ${boxClasses}`}>
        <Base.Indicator>
          <Icon name="check" size={12} />
        </Base.Indicator>
      </Base.Root>
      <span>
        <span className="block">{children}</span>
        {hint && <span className="block text-label text-t3">{hint}</span>}
      </span>
    </label>
  );
}
