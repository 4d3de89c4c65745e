import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

type Props = InputHTMLAttributes<HTMLInputElement> & { label: string; hint?: ReactNode; error?: string | null };

/** A labelled input with a hint or an error. */
export function TextField({ label, hint, error, className = '', ...rest }: Props) {
  const id = useId();
  const text = error ?? hint;
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-label text-t2">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={text ? `${id}-text` : undefined}
        className={`h-8 w-full rounded-control border bg-bg px-2.5 text-body placeholder:text-t3 ${error ? 'border-red' : 'border-line2'}`}
        {...rest}
      />
      {text && (
        <p
          id={`${id}-text`}
          role={error ? 'alert' : undefined}
          className={`text-label ${error ? 'text-red' : 'text-t3'}`}
        >
          {text}
        </p>
      )}
    </div>
  );
}
