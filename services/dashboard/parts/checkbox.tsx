import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Icon } from './icon.tsx';

type Props = {
  label: string;
  checked: boolean;
  indeterminate?: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
};

/** A box of its own name; what it belongs to stands beside it. */
export function Checkbox({ label, checked, indeterminate = false, disabled = false, onChange }: Props) {
  return (
    <Base.Root
      aria-label={label}
      checked={checked}
      indeterminate={indeterminate}
      disabled={disabled}
      onCheckedChange={onChange}
      className="grid size-4 shrink-0 place-items-center rounded-badge border border-t3 bg-bg text-on-accent data-[checked]:border-accent data-[indeterminate]:border-accent data-[checked]:bg-accent data-[indeterminate]:bg-accent"
    >
      <Base.Indicator className="grid place-items-center">
        {indeterminate ? <span className="h-0.5 w-2 bg-on-accent" /> : <Icon name="check" size={12} />}
      </Base.Indicator>
    </Base.Root>
  );
}
