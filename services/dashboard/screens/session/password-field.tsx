import { type InputHTMLAttributes, useId, useState } from 'react';
import { longestPassword, passwordHint, shortestPassword } from './password-hint.ts';

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'type'> & {
  label?: string;
  value: string;
  onValue: (value: string) => void;
  /** One that is chosen now, with a hint of its strength; `known` is what others know of its owner. */
  chooses?: boolean;
  known?: readonly string[];
  error?: string | null;
};

const bars = { none: 0, short: 1, weak: 1, fair: 2, good: 3 } as const;
const colours = { none: 'bg-line2', short: 'bg-red', weak: 'bg-amber', fair: 'bg-green', good: 'bg-green' } as const;

export function PasswordField({
  label = 'Password',
  value,
  onValue,
  chooses = false,
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
          autoComplete={chooses ? 'new-password' : 'current-password'}
          minLength={chooses ? shortestPassword : undefined}
          maxLength={longestPassword}
          required
          spellCheck={false}
          autoCapitalize="none"
          aria-invalid={error ? true : undefined}
          aria-describedby={chooses || error ? `${id}-told` : undefined}
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
      {chooses && (
        <div aria-hidden="true" className="mt-0.5 flex gap-1">
          {[1, 2, 3].map((step) => (
            <span
              key={step}
              className={`h-1 flex-1 rounded-bar ${step <= bars[hint.strength] ? colours[hint.strength] : 'bg-line2'}`}
            />
          ))}
        </div>
      )}
      {(chooses || error) && (
        <p id={`${id}-told`} aria-live="polite" className={`text-label ${error ? 'text-red' : 'text-t3'}`}>
          {error ?? hint.words}
        </p>
      )}
    </div>
  );
}
