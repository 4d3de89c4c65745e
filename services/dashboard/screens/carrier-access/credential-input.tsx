import { useId } from 'react';
import type { CredentialField } from '#shared/domain/carriers/known-connectors.ts';
import { TextField } from '../../parts/text-field.tsx';
import { fieldWords } from './field-words.ts';

type Props = {
  field: CredentialField;
  required: boolean;
  disabled: boolean;
  value: string;
  onValue: (value: string) => void;
};

/** One field of a carrier's credentials. No password manager is meant: none of it is a person's. */
export function CredentialInput({ field, required, disabled, value, onValue }: Props) {
  const id = useId();
  const { name, hint, lines, secret } = fieldWords[field];
  const label = required ? name : `${name} (if you have it)`;
  const common = {
    required,
    disabled,
    value,
    autoComplete: 'off',
    spellCheck: false,
    autoCapitalize: 'none',
    'data-1p-ignore': '',
  };
  if (lines === undefined) {
    return (
      <TextField
        {...common}
        label={label}
        hint={hint}
        type={secret ? 'password' : 'text'}
        {...(secret ? { autoComplete: 'new-password' } : {})}
        onChange={(event) => onValue(event.target.value)}
      />
    );
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-label text-t2">
        {label}
      </label>
      <textarea
        {...common}
        id={id}
        rows={lines}
        aria-describedby={`${id}-told`}
        onChange={(event) => onValue(event.target.value)}
        className="w-full resize-y rounded-control border border-line2 bg-bg px-2.5 py-1.5 font-mono text-number"
      />
      <p id={`${id}-told`} className="text-label text-t3">
        {hint}
      </p>
    </div>
  );
}
