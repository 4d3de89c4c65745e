import type { ButtonHTMLAttributes } from 'react';

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  active?: boolean;
  /** `pending` reserves space for an unknown count, so that nothing moves when it arrives. */
  count?: number | string | null;
};

/** A toggle filter as a pill. */
export function Chip({ active = false, count, className = '', children, type = 'button', ...rest }: Props) {
  const colors = active ? 'border-accent bg-sel text-t1' : 'border-line2 text-t2 hover:bg-hover';
  return (
    <button
      type={type}
      aria-pressed={active}
      className={`inline-flex h-[26px] shrink-0 items-center gap-1.5 whitespace-nowrap rounded-chip border px-2.5 text-body max-sm:h-[30px] max-sm:rounded-[15px] ${colors} ${className}`}
      {...rest}
    >
      {children}
      {count !== undefined && count !== null && (
        <span className={`tabular-nums ${active ? 'text-accent' : 'text-t3'}`}>
          {count === 'pending' ? <span className="inline-block w-8" /> : count}
        </span>
      )}
    </button>
  );
}
