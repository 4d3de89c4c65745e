import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon, type IconName } from './icon.tsx';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger' | 'strong';

const kindClasses: Record<Kind, string> = {
  primary: 'bg-accent text-on-accent border-accent not-disabled:hover:brightness-110',
  strong: 'bg-t1 text-bg border-t1 not-disabled:hover:opacity-90',
  plain: 'bg-bg text-t1 border-line2 not-disabled:hover:bg-hover',
  quiet: 'border-transparent text-t2 not-disabled:hover:bg-hover not-disabled:hover:text-t1',
  danger: 'bg-bg text-red border-line2 not-disabled:hover:bg-hover',
};

/** Classes of a button, for links styled as one. */
export function buttonClasses(kind: Kind = 'plain'): string {
  return `inline-flex h-7 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-control border px-2.5 text-body font-medium select-none ${kindClasses[kind]}`;
}

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: Kind;
  /** In progress: disabled until it ends. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

export function Button({ kind = 'plain', busy = false, className = '', type = 'button', disabled, ...rest }: Props) {
  return (
    <button
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={`${buttonClasses(kind)} disabled:cursor-default disabled:opacity-50 ${className}`}
      {...rest}
    />
  );
}

type IconProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  icon: IconName;
  label: string;
  size?: number;
  ref?: Ref<HTMLButtonElement>;
};

/** A button with only an icon. The label is its accessible name and its tooltip. */
export function IconButton({ icon, label, size = 16, className = '', type = 'button', ...rest }: IconProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={`inline-flex size-7 shrink-0 items-center justify-center rounded-control text-t2 hover:bg-hover hover:text-t1 disabled:opacity-40 ${className}`}
      {...rest}
    >
      <Icon name={icon} size={size} />
    </button>
  );
}
