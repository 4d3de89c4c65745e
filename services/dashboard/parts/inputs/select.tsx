import { type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import { Icon } from '../icon.tsx';

type Props = SelectHTMLAttributes<HTMLSelectElement> & {
  label: string;
  /** The label is for screen readers only. */
  labelHidden?: boolean;
  hint?: ReactNode;
};

/** A labelled select with the native control of the system. */
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
          aria-describedby={hint ? `${id}-hint` : undefined}
          className="h-8 w-full appearance-none rounded-control border border-line2 bg-bg pr-7 pl-2.5 text-body disabled:text-t3"
          {...rest}
        >
          {children}
        </select>
        <Icon name="down" size={12} className="pointer-events-none absolute top-2.5 right-2.5 text-t2" />
      </span>
      {hint && (
        <p id={`${id}-hint`} className="text-label text-t3">
          {hint}
        </p>
      )}
    </div>
  );
}

type InlineProps = SelectHTMLAttributes<HTMLSelectElement> & { label: string; wrong?: boolean; quiet?: boolean };

/** A native select without a visible label. `quiet` shows its border only on hover. */
export function InlineSelect({ label, wrong = false, quiet = false, className = '', children, ...rest }: InlineProps) {
  return (
    <span className={`relative inline-flex min-w-0 items-center ${className}`}>
      <select
        aria-label={label}
        aria-invalid={wrong || undefined}
        className={`h-7 w-full min-w-0 appearance-none truncate rounded-control border bg-bg pr-6 pl-2 text-body text-t1 hover:bg-hover disabled:text-t3 ${wrong ? 'border-amber' : quiet ? 'border-transparent hover:border-line2' : 'border-line2'}`}
        {...rest}
      >
        {children}
      </select>
      <Icon name="down" size={12} className="pointer-events-none absolute right-2 text-t2" />
    </span>
  );
}
