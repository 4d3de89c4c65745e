import { type InputHTMLAttributes, useId, useState } from 'react';
import { maxPasswordChars, minPasswordChars, passwordHint } from './password-hint.ts';

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'type'> & {
  label?: string;
  value: string;
  onValue: (value: string) => void;
  /** A new password, with a hint about its strength. `known` are words that are easy to guess, such as the name. */
  isNew?: boolean;
  known?: readonly string[];
  error?: string | null;
};

const bars = { none: 0, short: 1, weak: 1, fair: 2, good: 3 } as const;
const colours = { none: 'bg-line2', short: 'bg-red', weak: 'bg-amber', fair: 'bg-green', good: 'bg-green' } as const;

export function PasswordField({
  label = 'Password',
  value,
  onValue,
  isNew = false,
  known = [],
  error,
  ...rest
}: Props) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const hint = passwordHint(value, known);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-label text-t2">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          type={isShown ? 'text' : 'password'}
          value={value}
          onChange={(event) => onValue(event.target.value)}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          minLength={isNew ? minPasswordChars : undefined}
          maxLength={maxPasswordChars}
          required
          spellCheck={false}
          autoCapitalize="none"
          aria-invalid={error ? true : undefined}
          aria-describedby={isNew || error ? `${id}-hint` : undefined}
          className={`h-8 w-full rounded-control border bg-bg pr-14 pl-2.5 text-body ${error ? 'border-red' : 'border-line2'}`}
          {...rest}
        />
        <button
          type="button"
          aria-pressed={isShown}
          aria-label={`Show ${label.toLowerCase()}`}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-0 right-0 px-2.5 text-label text-t2 hover:text-t1"
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
      {isNew && (
        <div aria-hidden="true" className="mt-0.5 flex gap-1">
          {[1, 2, 3].map((step) => (
            <span
              key={step}
              className={`h-1 flex-1 rounded-bar ${step <= bars[hint.strength] ? colours[hint.strength] : 'bg-line2'}`}
            />
          ))}
        </div>
      )}
      {(isNew || error) && (
        <p id={`${id}-hint`} aria-live="polite" className={`text-label ${error ? 'text-red' : 'text-t3'}`}>
          {error ?? hint.text}
        </p>
      )}
    </div>
  );
}
