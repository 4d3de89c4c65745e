import { type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import { Icon } from './icon.tsx';

type Props = SelectHTMLAttributes<HTMLSelectElement> & {
  label: string;
  /** The label is there for screen readers alone: what the choice is of stands beside it. */
  labelHidden?: boolean;
  hint?: ReactNode;
};

/** A choice of few, by the system's own control: a phone shows its wheel, a keyboard types ahead. */
export function NativeSelect({ label, labelHidden = false, hint, className = '', children, ...rest }: Props) {
  const id = useId();
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-label text-t2'}>
        {label}
      </label>
      <span className="relative">
        <select
          id={id}
          aria-describedby={hint ? `${id}-told` : undefined}
          className="h-8 w-full appearance-none rounded-control border border-line2 bg-bg pr-7 pl-2.5 text-body disabled:text-t3"
          {...rest}
        >
          {children}
        </select>
        <Icon name="down" size={12} className="pointer-events-none absolute top-2.5 right-2.5 text-t2" />
      </span>
      {hint && (
        <p id={`${id}-told`} className="text-label text-t3">
          {hint}
        </p>
      )}
    </div>
  );
}
