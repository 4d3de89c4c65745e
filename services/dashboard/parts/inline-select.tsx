import type { SelectHTMLAttributes } from 'react';
import { Icon } from './icon.tsx';

type Props = SelectHTMLAttributes<HTMLSelectElement> & { label: string; wrong?: boolean; quiet?: boolean };

/** The browser's own menu, so that phones show theirs; its label is its name. A quiet one has no border until somebody comes near. */
export function InlineSelect({ label, wrong = false, quiet = false, className = '', children, ...rest }: Props) {
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
